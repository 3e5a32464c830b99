/** Lets one person hold at most `max` streams at once in this process. */
export function createSeats(max: number): { take: (userId: string) => (() => void) | undefined } {
  const taken = new Map<string, number>()
  return {
    /** Gives what frees the seat again; undefined where all are taken. */
    take: (userId) => {
      const count = taken.get(userId) ?? 0
      if (count >= max) return undefined
      taken.set(userId, count + 1)
      return () => {
        const rest = (taken.get(userId) ?? 1) - 1
        if (rest === 0) taken.delete(userId)
        else taken.set(userId, rest)
      }
    },
  }
}
