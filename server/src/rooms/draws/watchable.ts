import type { DrawFilter, DrawRest } from '@marquee/contract/entities/draw'
import { MAX_CHECKABLE_CARDS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { hidesCount } from '@marquee/contract/rules/draw-secrecy'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'
import type { Random } from '@marquee/platform/runtime/random'

import { findWatchable, isAvailabilityOn } from '../movies/availability/service.ts'
import { type BoxCard, type BoxFilter, listInBox, listMoviesInBox } from '../movies/cards/service.ts'
import { type DrawPast, restsSinceOf } from './eligible.ts'
import type { DrawPorts } from './ports.ts'

/** Comparing more would hold up other requests. In a larger box chance decides which cards are looked at. */
const MAX_COMPARED = 5_000
const ONLY_AT_NIGHT = 'watchable: What can be watched tonight is drawn at the open movie night'
const COUNT_IS_SECRET = 'watchable: How many movies can be watched tonight stays secret until you draw'

type WatchablePorts = Pick<DrawPorts, 'watchProviders' | 'mediaServers' | 'nights' | 'clock' | 'random'>

/** @throws {Problem} BAD_REQUEST: the filter has no count, not even a band. */
export function refuseCount(filter: DrawFilter | null): void {
  if (hidesCount(filter)) throw new Problem('BAD_REQUEST', COUNT_IS_SECRET)
}

/**
 * What is found out by this filter is found out at the open night, in front of all.
 * @throws {Problem} NOT_FOUND while all that it needs is switched off; BAD_REQUEST unless the draw is of the open night, and
 * the user is there.
 */
export async function requireWatchable(
  db: AnyDb,
  ports: Omit<WatchablePorts, 'random'>,
  { watchlistId, userId }: { watchlistId: string; userId: string },
  { filter, nightId }: { filter: DrawFilter | null; nightId?: string | undefined },
): Promise<void> {
  if (!hidesCount(filter)) return
  if (!isAvailabilityOn(ports)) throw new Problem('NOT_FOUND')
  const present = await ports.nights.listPresent(db, watchlistId, ports.clock.now())
  const isThere = present.some((person) => person.userId === userId)
  if (nightId === undefined || !isThere) throw new Problem('BAD_REQUEST', ONLY_AT_NIGHT)
}

/**
 * The cards of the box that can be watched tonight, at most as many as a table takes. Which statements are sent depends on
 * nothing but the size of the box.
 */
export async function findWatchableInBox(
  db: AnyDb,
  ports: WatchablePorts,
  { watchlistId, boxCount }: { watchlistId: string; boxCount: number },
  { filter, rest, past }: { filter: DrawFilter; rest: DrawRest; past: DrawPast },
): Promise<readonly BoxCard[]> {
  const { random, nights, clock } = ports
  const { unseenBy: _unseenBy, watchable: _watchable, ...facts } = filter
  const range = { first: random.below(boxCount), length: MAX_COMPARED, boxCount }
  const all: BoxFilter = { ...facts, exceptIds: past.seenIds, range }
  const list = async (wanted: BoxFilter) => await listInBox(db, watchlistId, wanted, MAX_COMPARED)
  const [movies, fitting, rested] = await together(
    listMoviesInBox(db, watchlistId, range),
    list(all),
    list({ ...all, restsSince: restsSinceOf(rest, past) }),
  )
  const people = await nights.listPresent(db, watchlistId, clock.now())
  const watchable = await findWatchable(db, ports, watchlistId, { cards: movies, people })
  const those = (cards: readonly BoxCard[]) => cards.filter(({ id }) => watchable.has(id))
  const [active, others] = [those(rested), those(fitting)]
  // If all others rest, none does.
  return choose(active.length > 0 ? active : others, MAX_CHECKABLE_CARDS, random)
}

/** This many of the items, each with the same chance. */
function choose<Item>(items: readonly Item[], most: number, { below }: Pick<Random, 'below'>): Item[] {
  if (items.length <= most) return [...items]
  const left = [...items]
  return Array.from({ length: most }, (_, n) => {
    const at = n + below(left.length - n)
    const [one, other] = [left[at] as Item, left[n] as Item]
    left[at] = other
    return one
  })
}
