import type { Row } from './change-log.ts'
import { added, anyCause, changed, type Effect, name, replyOf } from './effect.ts'
import type { EveningKind } from './evening-requests.ts'
import type { MediaKind } from './media-requests.ts'

/** The others leave no row that says who asked for it. */
type Observed = Exclude<EveningKind, 'want' | 'set-vetoes' | 'close-hashes' | 'unsee' | 'leave' | 'answer' | MediaKind>

const nightOf = (row: Row | undefined, ...columns: string[]) => name(row && { ...row, night: apiId(row) }, ...columns)
const inState = (row: Row | undefined, state: string): Row | undefined => (row?.['state'] === state ? row : undefined)
const prefixed = (row: Row | undefined, column: string, prefix: string) =>
  String(row?.[column]).startsWith(prefix) ? row : undefined

export const EVENING_EFFECTS: { [K in Observed]: Effect<K> } = {
  prepare: {
    made: (change) => name(added(change, 'draw'), 'username', 'draw_number'),
    asked: (_request, entry) => {
      const prepared = replyOf(entry) as { drawNumber: number } | undefined
      return prepared && `${entry.by.username} ${prepared.drawNumber}`
    },
    // Each reveal in one call is a draw, too.
    hasOtherCauses: anyCause,
  },
  'reveal-draw': {
    made: (change) => {
      const draw = changed(change, 'draw', 'status')
      return draw?.['status'] === 'revealed' ? name(draw, 'draw_number') : undefined
    },
    asked: ({ drawNumber }) => String(drawNumber),
    isIdempotent: true,
    hasOtherCauses: anyCause,
  },
  plan: {
    made: (change) => name(inState(added(change, 'night'), 'planned'), 'created_by', 'place'),
    asked: ({ place }, { by }) => `${by.username} ${place}`,
  },
  'open-night': {
    made: (change) => nightOf(inState(changed(change, 'night', 'state'), 'open'), 'night'),
    asked: (_request, entry) => (replyOf(entry) as { id: string } | undefined)?.id,
    isIdempotent: true,
    hasOtherCauses: anyCause,
  },
  start: {
    made: (change) => nightOf(inState(changed(change, 'night', 'state'), 'open'), 'night'),
    asked: ({ nightId }) => nightId,
    isIdempotent: true,
    hasOtherCauses: anyCause,
  },
  cancel: {
    made: (change) => nightOf(inState(changed(change, 'night', 'state'), 'cancelled'), 'night'),
    asked: ({ nightId }) => nightId,
    isIdempotent: true,
  },
  end: {
    made: (change) => nightOf(inState(changed(change, 'night', 'state'), 'ended'), 'night'),
    asked: ({ nightId }) => nightId,
    isIdempotent: true,
  },
  arrive: {
    made: (change) => presence(changed(change, 'night_presence', 'left_at')),
    asked: ({ nightId }: { nightId: string }, { by }) => `${by.username} ${nightId}`,
    isIdempotent: true,
    hasOtherCauses: anyCause,
  },
  'add-guest': {
    made: (change) => name(added(change, 'night_pass'), 'name'),
    asked: ({ nickname }) => nickname,
  },
  'open-vote': {
    made: (change) => name(added(change, 'night_vote'), 'draw_number'),
    asked: ({ drawNumber }) => String(drawNumber),
    isIdempotent: true,
  },
  ballot: {
    made: (change) => {
      const ballot = changed(change, 'night_ballot', 'voted_at')
      return ballot && `${ballot['user_id']} ${ballot['draw_number']} ${pointsOf(ballot)} ${ballot['veto']}`
    },
    asked: ({ drawNumber, scores, cardIds, vetoed }, { by }) => {
      const points = pointsOf({ scores: JSON.stringify(Object.fromEntries(cardIds.map((id, n) => [id, scores[n]]))) })
      return `${by.userId} ${drawNumber} ${points} ${vetoed}`
    },
    isIdempotent: true,
    // The ballot of a member who leaves stays, without a name.
    hasOtherCauses: anyCause,
  },
  'close-vote': {
    made: (change) => {
      const vote = changed(change, 'night_vote', 'closed_at')
      return vote?.['closed_at'] === null ? undefined : name(vote, 'draw_number')
    },
    asked: ({ drawNumber }) => String(drawNumber),
    isIdempotent: true,
    // The last ballot closes a vote, and so does the end of a night.
    hasOtherCauses: anyCause,
  },
  veto: {
    made: (change) => name(added(change, 'night_veto'), 'user_id', 'card_id'),
    asked: ({ cardId }, { by }) => `${by.userId} ${cardId}`,
    isIdempotent: true,
  },
  see: {
    made: (change) => name(changed(change, 'card_viewings', 'half_stars'), 'username', 'card_id', 'half_stars'),
    asked: ({ cardId, stars }, { by }) => `${by.username} ${cardId} ${2 * stars}`,
    isIdempotent: true,
    // Those at a night have seen its film.
    hasOtherCauses: anyCause,
  },
  ask: {
    made: (change) => name(added(change, 'movie_request'), 'card_id'),
    asked: ({ cardId }) => cardId,
    isIdempotent: true,
  },
  undo: {
    made: (change) => {
      const card = changed(change, 'card', 'status')
      const isUndone = ['WATCHED', 'REJECTED'].includes(String(change.was?.['status']))
      return isUndone ? name(card, 'id') : undefined
    },
    asked: ({ cardId }) => cardId,
  },
  import: {
    // Its rows are stored in several transactions. The last one opens the review.
    made: (change) => name(inState(changed(change, 'movie_import', 'state'), 'review'), 'username', 'file_name'),
    asked: ({ text }, { by }) => `${by.username} ${text}.csv`,
  },
  apply: {
    made: (change) => name(inState(changed(change, 'movie_import', 'state'), 'applying'), 'id'),
    asked: ({ importId }) => importId,
    isIdempotent: true,
  },
  'undo-import': {
    made: (change) => name(inState(changed(change, 'movie_import', 'state'), 'undoing'), 'id'),
    asked: ({ importId }) => importId,
    isIdempotent: true,
  },
}

/** A card that an import has added. */
export function isImported(card: Row | undefined): boolean {
  return prefixed(card, 'title', 'import ') !== undefined
}

/** An id of a night as the API names it. */
function apiId(night: Row): string {
  return `${night['watchlist_id']}_${night['id'] ?? night['night_id']}`
}

function presence(row: Row | undefined): string | undefined {
  return row?.['left_at'] === null ? `${row['username']} ${row['watchlist_id']}_${row['night_id']}` : undefined
}

function pointsOf({ scores }: Row): string {
  const points = JSON.parse(String(scores)) as Record<string, number>
  return Object.keys(points)
    .toSorted()
    .map((cardId) => `${cardId}:${points[cardId]}`)
    .join()
}
