/** The program cannot start with this configuration. The message tells the operator why, and what to do. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}
