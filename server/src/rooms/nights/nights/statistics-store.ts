import { type AnyDb, withTables } from '@marquee/platform/database/database'

import type { NightTables } from './night/store.ts'
import { discloseVote } from './vote/vote-disclosure.ts'
import type { VoteTables } from './vote/vote-store.ts'

/** With fewer people, it is easy to guess who used a veto. */
const MIN_PEOPLE = 3

/** From one time until just before another. */
type Span = { readonly start: string; readonly end: string }

const tables = withTables<NightTables & VoteTables>

/** The nights that were started in a span, who was there, and how many movies were vetoed in it. */
export async function countNights(
  db: AnyDb,
  watchlistId: string,
  span: Span,
): Promise<{ held: number; vetoed: number; attendance: { username: string; nights: number }[] }> {
  const { held } = await startedIn(db, watchlistId, span)
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .executeTakeFirstOrThrow()
  const attendance = await startedIn(db, watchlistId, span)
    .innerJoin('night_presence as p', (join) =>
      join.onRef('p.watchlist_id', '=', 'night.watchlist_id').onRef('p.night_id', '=', 'night.id'),
    )
    .select((eb) => ['p.username', eb.fn.countAll<number>().as('nights')])
    .groupBy('p.username')
    .orderBy('nights', 'desc')
    .orderBy('p.username')
    .execute()
  return { held, vetoed: await countVetoed(db, watchlistId, span), attendance }
}

function startedIn(db: AnyDb, watchlistId: string, { start, end }: Span) {
  return tables(db)
    .selectFrom('night')
    .where('night.watchlist_id', '=', watchlistId)
    .where('night.started_at', '>=', start)
    .where('night.started_at', '<', end)
}

/** Counts results, not ballots: those of former members are deleted, which would tell how many vetoes they used. */
async function countVetoed(db: AnyDb, watchlistId: string, { start, end }: Span): Promise<number> {
  const rows = await tables(db)
    .selectFrom('night_vote')
    .select('result')
    .where('watchlist_id', '=', watchlistId)
    .where('result', 'is not', null)
    .where('closed_at', '>=', start)
    .where('closed_at', '<', end)
    .execute()
  const { revealed } = await tables(db)
    .selectFrom('night_veto')
    .select((eb) => eb.fn.countAll<number>().as('revealed'))
    .where('watchlist_id', '=', watchlistId)
    .where('vetoed_at', '>=', start)
    .where('vetoed_at', '<', end)
    .where('present', '>=', MIN_PEOPLE)
    .executeTakeFirstOrThrow()
  const cards = rows.flatMap((row) => discloseVote(row, undefined).cards)
  return cards.filter(({ isVetoed }) => isVetoed).length + revealed
}
