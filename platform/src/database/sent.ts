/**
 * A prepared statement that has left. A transaction whose work returns it is committed in the same message, and has its
 * value as result. The value cannot be used before the commit, and nothing can be sent behind it.
 */
export class Sent<T> {
  /** For this folder and `repeatable`; in a module it would cost a message of its own. */
  readonly value: Promise<T>
  /** False on a database whose plug-ins delay statements: the commit waits for them. */
  readonly hasLeft: boolean

  constructor(value: Promise<T>, hasLeft: boolean) {
    this.value = value
    this.hasLeft = hasLeft
    // A failure is reported with the transaction, which may fail for another reason first.
    value.catch(() => undefined)
  }

  /** The same statement with another value, made of its rows. */
  map<U>(make: (value: T) => U): Sent<U> {
    return new Sent(this.value.then(make), this.hasLeft)
  }

  /** The value of this statement, once the others that left with it have succeeded, too. */
  with(...others: readonly Sent<unknown>[]): Sent<T> {
    const value = Promise.all([this.value, ...others.map(async (other) => await other.value)])
    return new Sent(
      value.then(([own]) => own),
      this.hasLeft && others.every((other) => other.hasLeft),
    )
  }
}

/** What the work of a transaction gives, once it has arrived. */
export async function arrival<T>(result: T | Sent<T>): Promise<T> {
  return result instanceof Sent ? await result.value : result
}
