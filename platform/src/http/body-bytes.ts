/** The bytes of one body while it is in memory. */
export type BodyBytes = {
  /** Counts bytes that have arrived; false if they are over the budget. */
  readonly take: (bytes: number) => boolean
  /** Gives all of them back. */
  readonly free: () => void
}

export type ByteBudget = { readonly open: (owner: string) => BodyBytes }

/**
 * The bytes of bodies that may be in memory at once: of this process, and of one caller. They are taken as they arrive, so a
 * body that is only announced takes nothing.
 */
export function createByteBudget({ total, perOwner }: { total: number; perOwner: number }): ByteBudget {
  const taken = new Map<string, number>()
  let allTaken = 0

  function add(owner: string, bytes: number): void {
    const own = (taken.get(owner) ?? 0) + bytes
    allTaken += bytes
    if (own === 0) taken.delete(owner)
    else taken.set(owner, own)
  }

  return {
    open: (owner) => {
      let held = 0
      return {
        take: (bytes) => {
          if ((taken.get(owner) ?? 0) + bytes > perOwner || allTaken + bytes > total) return false
          held += bytes
          add(owner, bytes)
          return true
        },
        free: () => {
          add(owner, -held)
          held = 0
        },
      }
    },
  }
}
