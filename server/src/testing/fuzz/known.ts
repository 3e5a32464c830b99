/** A value that is known only while the requests are sent, such as the id of something created earlier. */
export class Known {
  readonly name: string
  readonly nth: number

  constructor(name: string, nth: number) {
    this.name = name
    this.nth = nth
  }
}

/** Ids that belong together in a path: a comment of a card of a watchlist. */
type Place = Readonly<Record<string, string>>

const KEPT = 20
const PEOPLE = new Set(['authorId', 'creatorId', 'ownerId', 'username'])

export type Knowledge = {
  learn: (name: string, value: string) => void
  /** Learns ids, names and tokens from a reply to a request at `place`. */
  learnFrom: (reply: unknown, place: Place) => void
  /** The same data with all known values filled in, whatever their place. */
  fill: (data: unknown) => unknown
  /** Parameters of a path, filled with ids that belong together. */
  fillPlace: (params: Readonly<Record<string, unknown>>) => Record<string, unknown>
}

/** Remembers the latest values of each kind. */
export function createKnowledge(): Knowledge {
  const values = new Map<string, string[]>()
  const places = new Map<string, Place[]>()

  function learn(name: string, value: string): void {
    const known = values.get(name) ?? []
    if (!known.includes(value)) values.set(name, [...known, value].slice(-KEPT))
  }

  function learnPlace(place: Place): void {
    const kind = ['commentId', 'cardId', 'nightId', 'watchlistId'].find((name) => name in place) ?? ''
    places.set(kind, [...(places.get(kind) ?? []), place].slice(-KEPT))
  }

  function learnFrom(reply: unknown, place: Place): void {
    if (typeof reply !== 'object' || reply === null) return
    const found = placeOf(reply, place)
    if (found) learnPlace(found)
    for (const [key, value] of Object.entries(reply)) {
      if (typeof value === 'string') learn(PEOPLE.has(key) ? 'username' : key, value)
      else learnFrom(value, found ?? place)
    }
  }

  function find({ name, nth }: Known): string {
    const known = values.get(name) ?? places.get(name)?.map((place) => place[name] ?? '') ?? []
    return known[nth % Math.max(known.length, 1)] ?? 'nothing-known-yet'
  }

  function fill(data: unknown): unknown {
    if (data instanceof Known) return find(data)
    if (Array.isArray(data)) return data.map(fill)
    if (typeof data !== 'object' || data === null) return data
    // Defined instead of assigned, because a key may be `__proto__`.
    const copy = {}
    for (const [key, value] of Object.entries(data)) {
      Object.defineProperty(copy, key, { value: fill(value), enumerable: true, configurable: true, writable: true })
    }
    return copy
  }

  function fillPlace(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const innermost = ['commentId', 'cardId', 'nightId', 'watchlistId']
      .map((name) => params[name])
      .find((value) => value instanceof Known)
    const known = (innermost && places.get(innermost.name)) ?? []
    const place = known[(innermost?.nth ?? 0) % Math.max(known.length, 1)]
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        value instanceof Known ? (place?.[name] ?? find(value)) : value,
      ]),
    )
  }

  return { learn, learnFrom, fill, fillPlace }
}

/** The watchlist, card, comment or night that a reply shows. */
function placeOf(reply: object, { watchlistId }: Place): Place | undefined {
  const shown = new Map<string, unknown>(Object.entries(reply))
  const text = (name: string) => String(shown.get(name))
  if (shown.has('commentId'))
    return { watchlistId: watchlistId ?? '', cardId: text('cardId'), commentId: text('commentId') }
  if (shown.has('statusChanges')) return { watchlistId: text('watchlistId'), cardId: text('id') }
  if (shown.has('times')) return { watchlistId: text('watchlistId'), nightId: text('id') }
  if (shown.has('ownerId')) return { watchlistId: text('id') }
  return undefined
}
