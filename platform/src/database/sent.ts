type Part = { readonly place: number; readonly value: Promise<unknown> }

/** How many statements have left so far. */
let places = 0

/**
 * A prepared statement that has left. A transaction whose work returns it is committed in the same message, and has its
 * value as result. The value cannot be used before the commit, and nothing can be sent behind it.
 */
export class Sent<T> {
  /** For this folder and `repeatable`; in a module it would cost a message of its own. */
  readonly value: Promise<T>
  /** False on a database whose plug-ins delay statements: the commit waits for them. */
  readonly hasLeft: boolean
  /** The statements that this value needs, in any order. */
  readonly #parts: readonly Part[]

  constructor(value: Promise<T>, hasLeft: boolean, parts: readonly Part[] = [{ place: (places += 1), value }]) {
    this.value = value
    this.hasLeft = hasLeft
    this.#parts = parts
    // A failure is reported with the transaction, which may fail for another reason first.
    value.catch(() => undefined)
  }

  /** The same statement with another value, made of its rows. */
  map<U>(make: (value: T) => U): Sent<U> {
    return new Sent(this.value.then(make), this.hasLeft, this.#parts)
  }

  /**
   * The value of this statement, once the others that left with it have succeeded, too. If some failed, it is rejected with
   * the error of the one that left first: the others may have failed because of it.
   */
  with(...others: readonly Sent<unknown>[]): Sent<T> {
    const all = [this, ...others]
    const parts = all.flatMap((sent) => sent.#parts).toSorted((one, other) => one.place - other.place)
    const value = afterAll([...parts, ...others], this.value)
    return new Sent(
      value,
      all.every((sent) => sent.hasLeft),
      parts,
    )
  }
}

/** The value once all others have arrived. Of those that fail, the first one in the order given is thrown. */
async function afterAll<T>(others: readonly { value: Promise<unknown> }[], value: Promise<T>): Promise<T> {
  const arrivals = others.map(async (other) => await other.value)
  await Promise.allSettled(arrivals)
  await Promise.all(arrivals)
  return await value
}

/** What the work of a transaction gives, once it has arrived. */
export async function arrival<T>(result: T | Sent<T>): Promise<T> {
  return result instanceof Sent ? await result.value : result
}
