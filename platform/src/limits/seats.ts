export type Seats = {
  /** Takes a seat and returns the function that frees it; undefined if none is left for this owner. */
  take: (owner: string) => (() => void) | undefined
}

/** Limits concurrent work in this process to `total` seats, with at most `perOwner` for one owner. */
export function createSeats({ total = Infinity, perOwner }: { total?: number; perOwner: number }): Seats {
  const taken = new Map<string, number>()
  let allTaken = 0
  return {
    take: (owner) => {
      const own = taken.get(owner) ?? 0
      if (own >= perOwner || allTaken >= total) return undefined
      taken.set(owner, own + 1)
      allTaken += 1
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        allTaken -= 1
        const rest = (taken.get(owner) ?? 1) - 1
        if (rest === 0) taken.delete(owner)
        else taken.set(owner, rest)
      }
    },
  }
}
