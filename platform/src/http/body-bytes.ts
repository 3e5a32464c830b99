/** The bytes of one body while it is in memory. */
export type BodyBytes = {
  /** Counts bytes that have arrived; false if they are over the budget. */
  readonly take: (bytes: number) => boolean
  /** Nothing more arrives, so the body keeps its bytes until they are freed. */
  readonly complete: () => void
  /** Gives all of them back. */
  readonly free: () => void
}

export type ByteBudget = {
  /** `refuse` ends a body that is still arriving. */
  readonly open: (owner: string, refuse: () => void) => BodyBytes
}

type Body = { readonly owner: string; readonly refuse: () => void; held: number }

/**
 * The bytes of bodies that may be in memory at once: of this process, and of one caller. They are taken as they arrive, so
 * a body that is only announced takes nothing. If all are taken, a caller gets those of an unfinished body of the caller
 * who has most, if that one has more. So a few callers who never finish a body keep no one else out.
 */
export function createByteBudget({ total, perOwner }: { total: number; perOwner: number }): ByteBudget {
  const taken = new Map<string, number>()
  const arriving = new Set<Body>()
  let allTaken = 0

  const takenBy = (owner: string): number => taken.get(owner) ?? 0

  function add(body: Body, bytes: number): void {
    const own = takenBy(body.owner) + bytes
    body.held += bytes
    allTaken += bytes
    if (own === 0) taken.delete(body.owner)
    else taken.set(body.owner, own)
  }

  /** The largest unfinished body of the owner with the most bytes, among owners with more than this many. */
  function findLargest(than: number): Body | undefined {
    return [...arriving]
      .filter(({ owner }) => takenBy(owner) > than)
      .toSorted((one, other) => takenBy(other.owner) - takenBy(one.owner) || other.held - one.held)
      .at(0)
  }

  function end(body: Body): void {
    arriving.delete(body)
    add(body, -body.held)
  }

  return {
    open: (owner, refuse) => {
      const body: Body = { owner, refuse, held: 0 }
      arriving.add(body)
      return {
        take: (bytes) => {
          const own = takenBy(owner) + bytes
          if (own > perOwner) return false
          while (allTaken + bytes > total) {
            const largest = findLargest(own)
            if (!largest) return false
            end(largest)
            largest.refuse()
          }
          add(body, bytes)
          return true
        },
        complete: () => {
          arriving.delete(body)
        },
        free: () => {
          end(body)
        },
      }
    },
  }
}
