import type { Change, Row, Table } from './change-log.ts'
import { type Attempt, describe, type Entry } from './clients.ts'
import { added, allAdded, removed } from './effect.ts'
import { FILMS, type SentMark } from './home-server.ts'

type Given = {
  /** The changes of the watchlist since it was created. */
  changes: readonly Change[]
  journal: readonly Entry[]
  tables: Record<Table, Row[]>
  /** What the media server has heard, in order. */
  told: readonly SentMark[]
}
/** Items by the id of the card. */
type FilmCards = ReadonlyMap<string, string>
type Span = { from: number; to: number }

/** Links are there while they should be, and marks go both ways. */
export function auditMedia(given: Given): string[] {
  const cards = filmsOf(given.changes)
  return [
    ...auditUnlinked(given),
    ...auditReports(given, cards),
    ...auditPlayed(given),
    ...auditWords(given, cards),
    ...auditSeen(given, cards),
  ]
}

/** The items of the films whose cards were in the feed all the time. */
function filmsOf(changes: readonly Change[]): FilmCards {
  const lost = new Set(
    changes.flatMap((change) => {
      const isBack = change.was && change.is?.['status'] === 'SUGGESTED'
      return change.table === 'card' && (isBack || !change.is) ? [change.was?.['id']] : []
    }),
  )
  const cards = allAdded(changes, 'card').flatMap(({ id, title }) => {
    const film = FILMS.find((one) => one.title === title)
    return film && !lost.has(id) ? [[String(id), film.tmdbId] as const] : []
  })
  return new Map(cards)
}

/** From when to when a user was linked. */
function linksOf(changes: readonly Change[], username: string): Span[] {
  const spans: Span[] = []
  for (const change of changes) {
    if (added(change, 'media_link')?.['username'] === username) spans.push({ from: change.seq, to: Infinity })
    const last = spans.at(-1)
    if (last && removed(change, 'media_link')?.['username'] === username) last.to = change.seq
  }
  return spans
}

const isThroughout = (spans: readonly Span[], { from, to }: Span): boolean =>
  spans.some((span) => span.from <= from && to < span.to)

function successesOf(entry: Entry): Attempt[] {
  return entry.attempts.filter(({ answer }) => answer && answer.status < 300)
}

/** A link that was ended was away at least once meanwhile. */
function auditUnlinked({ changes, journal }: Given): string[] {
  return journal.flatMap((entry) => {
    const isKept = (attempt: Attempt) => isThroughout(linksOf(changes, entry.by.username), attempt)
    return entry.request.kind === 'unlink' && successesOf(entry).some(isKept)
      ? [`${describe(entry)} succeeded, and the link was there all the time`]
      : []
  })
}

/** Each report is taken. That of a linked user is stored before it is answered. */
function auditReports({ changes, journal }: Given, cards: FilmCards): string[] {
  return journal.flatMap((entry) => {
    const { request, attempts } = entry
    if (request.kind !== 'report') return []
    const { film, name } = request
    const spans = linksOf(changes, name)
    const isStored = ({ to }: Attempt) =>
      changes.some(({ table, seq, is }) => {
        const isOfFilm = table === 'media_mark' && is?.['card_id'] === film.cardId && is['user_id'] === entry.by.userId
        return isOfFilm && seq <= to && is['played_at'] !== null
      })
    const refused = attempts.flatMap(({ answer }) => (answer && answer.status !== 204 ? [answer.status] : []))
    const isLost = successesOf(entry).some(
      (attempt) => cards.has(film.cardId) && isThroughout(spans, attempt) && !isStored(attempt),
    )
    return [
      ...refused.map((status) => `${describe(entry)} was answered ${status}`),
      ...(isLost ? [`${describe(entry)} was taken, and is not stored`] : []),
    ]
  })
}

/** A film that is reported again and again has been played once for each link. */
function auditPlayed({ changes }: Given): string[] {
  const played = Map.groupBy(
    allAdded(changes, 'card_viewings').filter((row) => row['server_id'] !== null),
    (row) => `${row['username']} ${row['card_id']}`,
  )
  return [...played].flatMap(([key, { length: times }]) => {
    const links = linksOf(changes, key.split(' ')[0] ?? '').length
    return times > links ? [`${key} was played ${times} times with ${links} links`] : []
  })
}

/** The last word about a film is the last thing that the server has heard. */
function auditWords({ changes, tables, told }: Given, cards: FilmCards): string[] {
  return tables.media_mark.flatMap((row) => {
    const { user_id: userId, card_id: cardId, wanted } = row
    const itemId = cards.get(String(cardId))
    if (itemId === undefined) return []
    if (wanted !== null) return [`The mark of ${userId} on ${cardId} still waits`]
    const { username, word } = lastWord(changes, row)
    const last = told.findLast((one) => one.userId === username && one.itemId === itemId)
    return word === undefined || last?.isSeen === (word === 1)
      ? []
      : [`The last word of ${userId} on ${cardId} is ${word}, and the server has heard ${last?.isSeen}`]
  })
}

/** What was last to be sent since the user was linked. */
function lastWord(changes: readonly Change[], mark: Row): { username: unknown; word: number | undefined } {
  const isIts = (row: Row | undefined): boolean =>
    row?.['user_id'] === mark['user_id'] && row?.['card_id'] === mark['card_id']
  let word: number | undefined
  for (const { table, was, is } of changes) {
    if (table !== 'media_mark' || !isIts(is ?? was)) continue
    if (!is || !was) word = undefined
    const wanted = is?.['wanted']
    const isNew = is?.['version'] !== was?.['version'] || wanted !== was?.['wanted']
    if (isNew && typeof wanted === 'number') word = wanted
  }
  const link = allAdded(changes, 'media_link').find((row) => row['user_id'] === mark['user_id'])
  return { username: link?.['username'], word }
}

/** What a linked user has marked since is known to the server, and what they have unmarked is not seen there. */
function auditSeen({ changes, tables }: Given, cards: FilmCards): string[] {
  return tables.media_link.flatMap(({ user_id: userId, username, state }) => {
    const since = linksOf(changes, String(username)).at(-1)?.from ?? 0
    if (state !== 'linked') return [`The link of ${username} is ${state}`]
    return [...cards.keys()].flatMap((cardId) => {
      const isIts = (row: Row | undefined): boolean => row?.['user_id'] === userId && row?.['card_id'] === cardId
      const last = changes.findLast(({ table, was, is }) => table === 'card_viewings' && (isIts(was) || isIts(is)))
      const viewing = last?.is ?? last?.was
      // Marks of a night and of an import are not sent.
      if (!last || last.seq <= since || viewing?.['night_id'] !== null || viewing['import_id'] !== null) return []
      const known = tables.media_mark.find(isIts)?.['known'] ?? 0
      const isSeen = last.is !== undefined
      return (known === 1) === isSeen ? [] : [`${username} has ${cardId} as seen ${isSeen}, and the server ${known}`]
    })
  })
}
