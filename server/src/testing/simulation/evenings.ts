import type { Change, Row, Table } from './change-log.ts'
import type { Entry } from './clients.ts'
import { added, allAdded, changed, removed } from './effect.ts'
import { importedTitles } from './evening-requests.ts'
import { auditTallies } from './votes.ts'

type Given = {
  /** The changes of the watchlist since it was created. */
  changes: readonly Change[]
  journal: readonly Entry[]
  tables: Record<Table, Row[]>
}

/** Draws, votes and imports did all that they say, once. */
export function auditEvenings(given: Given): string[] {
  return [
    ...auditDraws(given),
    ...auditVotes(given),
    ...auditTallies(given.changes),
    ...auditNights(given),
    ...auditImports(given),
    ...auditRequests(given),
  ]
}

/** Numbers have no gap, and a revealed draw has drawn each of its cards once. */
function auditDraws({ changes, tables: { draw, draw_pick: picks } }: Given): string[] {
  const findings: string[] = []
  const numbers = draw.map((row) => Number(row['draw_number'])).toSorted((one, other) => one - other)
  if (numbers.some((number, n) => number !== n + 1)) findings.push(`The numbers of draws are ${numbers.join(', ')}`)
  for (const row of draw.filter(({ status }) => status === 'revealed')) {
    const ids = picks.flatMap((pick) => (pick['draw_number'] === row['draw_number'] ? [pick['card_id']] : []))
    const wanted = Math.min(Number(row['picks']), Number(row['eligible']))
    // Another draw may have revealed its cards in the same millisecond.
    const revealed = changes.flatMap((change) => {
      const entry = added(change, 'status_change')
      if (entry?.['status'] !== 'REVEALED' || entry['changed_at'] !== row['revealed_at']) return []
      return ids.filter((id) => id === entry['card_id'])
    })
    const isWhole = new Set(ids).size === wanted && ids.length === revealed.length && new Set(revealed).size === wanted
    if (!isWhole)
      findings.push(`Draw ${row['draw_number']} of ${wanted} drew ${ids.length} and revealed ${revealed.length}`)
  }
  return findings
}

/** A vote that closes leaves at most its winner in the feed, and counts each person once. */
function auditVotes({ changes, tables: { draw, draw_pick: picks, night_vote: votes } }: Given): string[] {
  const entries = allAdded(changes, 'status_change')
  const deleted = new Set(changes.map((change) => removed(change, 'card')?.['id']))
  return votes.flatMap((vote): string[] => {
    if (vote['closed_at'] === null) return []
    const number = vote['draw_number']
    const result = JSON.parse(String(vote['result'])) as { winner: string | null; present: number; voted: number }
    const revealedAt = draw.find((row) => row['draw_number'] === number)?.['revealed_at']
    const left = picks
      .filter((pick) => pick['draw_number'] === number && !deleted.has(pick['card_id']))
      .filter(({ card_id: cardId }) => {
        const reveal = entries.find((entry) => entry['card_id'] === cardId && entry['changed_at'] === revealedAt)
        const next = entries.find(
          (entry) => entry['card_id'] === cardId && Number(entry['seq']) === Number(reveal?.['seq']) + 1,
        )
        return next === undefined || String(next['changed_at']) > String(vote['closed_at'])
      })
      .map(({ card_id: cardId }) => cardId)
    const isRight = left.every((cardId) => cardId === result.winner) && result.voted <= result.present
    const ballots = new Set(
      changes.flatMap((change) => {
        const ballot = changed(change, 'night_ballot', 'voted_at')
        return ballot && ballot['draw_number'] === number ? [ballot['user_id']] : []
      }),
    )
    return isRight && result.voted <= ballots.size
      ? []
      : [
          `The vote on draw ${number} left ${left.join()} in the feed, with ${ballots.size} ballots and the result ${String(vote['result'])}`,
        ]
  })
}

/** One night is open at a time, and none that is over has an open vote. */
function auditNights({ tables: { night, night_vote: votes } }: Given): string[] {
  const open = night.filter(({ state }) => state === 'open').map(({ id }) => id)
  const forgotten = votes.filter((vote) => vote['closed_at'] === null && !open.includes(vote['night_id'] ?? null))
  return [
    ...(open.length > 1 ? [`${open.length} nights are open`] : []),
    ...forgotten.map((vote) => `The vote on draw ${vote['draw_number']} is open after its night`),
  ]
}

/** What was asked for has been sent, and has arrived once. */
function auditRequests({ changes, tables: { movie_request: requests } }: Given): string[] {
  const arrivals = allAdded(changes, 'activity').filter(({ kind }) => kind === 'arrived')
  return requests.flatMap(({ tmdb_id: tmdbId, card_id: cardId, state }) => {
    const times = arrivals.filter((row) => row['card_id'] === cardId).length
    if (state !== 'here') return [`The movie ${tmdbId} is ${state}`]
    return times > 1 ? [`The movie ${tmdbId} has arrived ${times} times`] : []
  })
}

/** An applied import has added each of its movies once, and one that was undone leaves no unchanged card in the box. */
function auditImports({ changes, tables: { card, movie_import: imports } }: Given): string[] {
  const cards = allAdded(changes, 'card')
  return imports.flatMap(({ file_name: fileName, state }) =>
    importedTitles(String(fileName).replace(/\.csv$/u, '')).flatMap((title) => {
      const times = cards.filter((row) => row['title'] === title).length
      const isLeft = card.some(
        (row) => row['title'] === title && row['status'] === 'SUGGESTED' && row['status_change_count'] === 1,
      )
      if (times > 1) return [`${title} was imported ${times} times`]
      if (state === 'applied' && times === 0) return [`${title} was not imported`]
      return state === 'undone' && isLeft ? [`${title} is still in the box`] : []
    }),
  )
}
