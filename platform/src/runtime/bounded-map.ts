/** A map with at most `max` entries. A new entry replaces the oldest. */
export type BoundedMap<V> = {
  get: (key: string) => V | undefined
  set: (key: string, value: V) => void
  delete: (key: string) => void
}

export function boundedMap<V>(max: number): BoundedMap<V> {
  const entries = new Map<string, V>()
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > max && oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => {
      entries.delete(key)
    },
  }
}
