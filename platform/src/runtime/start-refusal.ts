/** The program cannot start as it is set up: the message says why, to whoever starts it, and what to do. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}
