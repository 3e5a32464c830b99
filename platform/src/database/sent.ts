type Part = { readonly place: number; readonly value: Promise<unknown> }

/** How many statements have left so far. */
let places = 0

/**
 * A prepared statement that was sent. If the work of a transaction returns it, the commit leaves in the same message, and
 * its value is the result. The value cannot be used before the commit, and nothing can be sent after it.
 */
export class Sent<T> {
  /** Only for this folder and `repeatable`: in a module the await would cost another message. */
  readonly value: Promise<T>
  /** False for a database whose plug-ins delay statements; then the commit waits for them. */
  readonly hasLeft: boolean
  /** The statements that this value depends on, in any order. */
  readonly #parts: readonly Part[]

  constructor(value: Promise<T>, hasLeft: boolean, parts: readonly Part[] = [{ place: (places += 1), value }]) {
    this.value = value
    this.hasLeft = hasLeft
    this.#parts = parts
    // A failure is reported with the transaction, which may have failed for an earlier reason.
    value.catch(() => undefined)
  }

  /** The same statement with another value, computed from its rows. */
  map<U>(make: (value: T) => U | Promise<U>): Sent<U> {
    return new Sent(this.value.then(make), this.hasLeft, this.#parts)
  }

  /**
   * The value of this statement, once the others sent with it have succeeded too. If some failed, it rejects with the error
   * of the first one sent, because the others may have failed as a consequence.
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

/** The value once all others have settled. If some fail, throws the error of the first one in the given order. */
async function afterAll<T>(others: readonly { value: Promise<unknown> }[], value: Promise<T>): Promise<T> {
  const arrivals: Promise<unknown>[] = []
  for (const other of others) arrivals.push(other.value)
  try {
    await Promise.all(arrivals)
  } catch {
    await Promise.allSettled(arrivals)
    await Promise.all(arrivals)
  }
  return await value
}

/** A value that is known already, among these last statements of a transaction. */
export function valueWith<T>(value: T, [first, ...others]: readonly Sent<unknown>[]): T | Sent<T> {
  return first === undefined ? value : first.with(...others).map(() => value)
}

/** The values of several statements, as one. */
export function sentList<T>(list: readonly Sent<T>[]): Sent<T[]> {
  const [first, ...others] = list
  if (first === undefined) throw new Error('There is no statement')
  return first.with(...others).map(async () => await Promise.all(list.map(async ({ value }) => await value)))
}

/** The result of a transaction's work, once it has arrived. */
export async function arrival<T>(result: T | Sent<T>): Promise<T> {
  return result instanceof Sent ? await result.value : result
}
