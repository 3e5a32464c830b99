import type {
  AbsentDevice,
  DrawFilter,
  DrawPerson,
  DrawReceipt,
  DrawStatus,
  DrawSummary,
} from '@marquee/contract/entities/draw'

import { eligibleUntilRevealed } from './bands.ts'
import { abandonedBefore } from './prepare.ts'
import type { DrawRow, PickRow } from './store.ts'

type WithoutTable = Omit<DrawRow, 'people' | 'candidates' | 'server_seed'>

function presentFacts(row: WithoutTable, now: Date) {
  return {
    drawNumber: row.draw_number,
    status: statusOf(row, now),
    rule: row.rule,
    filter: filterOf(row),
    picks: row.picks,
    ...eligibleUntilRevealed(row.eligible, row.status === 'revealed' ? null : filterOf(row)),
    commitment: row.commitment,
    preparedAt: row.prepared_at,
    revealedAt: row.revealed_at,
    by: row.username,
    nightId: row.night_id,
    absent: row.absent === null ? [] : (JSON.parse(row.absent) as AbsentDevice[]),
  }
}

export function filterOf({ filter }: Pick<DrawRow, 'filter'>): DrawFilter | null {
  return filter === null ? null : (JSON.parse(filter) as DrawFilter)
}

/** A prepared draw becomes abandoned by the passing of time. */
export function statusOf({ status, prepared_at }: Pick<DrawRow, 'status' | 'prepared_at'>, now: Date): DrawStatus {
  return status === 'prepared' && prepared_at < abandonedBefore(now) ? 'abandoned' : status
}

const seedsOf = ({ seeds }: Pick<DrawRow, 'seeds'>) => JSON.parse(seeds) as string[]
export const hashesOf = ({ hashes }: Pick<DrawRow, 'hashes'>) =>
  hashes === null ? null : (JSON.parse(hashes) as string[])
export const peopleOf = ({ people }: Pick<DrawRow, 'people'>) =>
  people === null ? null : (JSON.parse(people) as DrawPerson[])

/** The table stays secret until the draw is revealed: it shows how many cards each person has in the box. */
export function presentReceipt(row: DrawRow, picks: readonly PickRow[], now: Date): DrawReceipt {
  const facts = presentFacts(row, now)
  const { drawNumber, rule, filter } = facts
  const people = row.status === 'revealed' ? peopleOf(row) : null
  return {
    ...facts,
    watchlistId: row.watchlist_id,
    table: people && {
      watchlistId: row.watchlist_id,
      drawNumber,
      rule,
      filter,
      picks: row.picks,
      people,
      serverSeed: row.server_seed,
    },
    // A process of the previous version reveals without a look at the hashes.
    hashes: row.status === 'revealed' && row.absent === null ? null : hashesOf(row),
    seeds: seedsOf(row),
    picked: picks.map(({ ticket, card_id, secret, odds }) => ({
      ticket,
      cardId: card_id,
      secret,
      odds: odds === null ? null : Number(odds),
    })),
  }
}

export function presentSummary(
  row: WithoutTable,
  picks: readonly PickRow[],
  titles: ReadonlyMap<string, string>,
  now: Date,
): DrawSummary {
  return {
    ...presentFacts(row, now),
    seedCount: seedsOf(row).length,
    cards: picks.map(({ card_id }) => ({ cardId: card_id, title: titles.get(card_id) ?? null })),
  }
}
