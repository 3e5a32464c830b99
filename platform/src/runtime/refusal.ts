/** The program does not do what the operator wants. The message says why, and what to do, so it is printed without a stack. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
}
