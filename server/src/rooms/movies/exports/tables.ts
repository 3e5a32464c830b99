import { isSameUser } from '@marquee/contract/rules/account'

import type { ExportSource } from '../cards/service.ts'

type Value = string | number | null | undefined

/**
 * Before what a spreadsheet would run as a formula. A cell also begins after a semicolon where a comma is the decimal sign,
 * because quotes count only at the start of a cell.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠\t\r])/gu

/** A row in the notation of RFC 4180. */
function row(values: readonly Value[]): string {
  return `${values.map(field).join(',')}\r\n`
}

function field(value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = value.replaceAll(FORMULA, "'")
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** All cards, one a row. The byte-order mark makes Excel read the file as UTF-8. */
export async function* cardTable(cards: ExportSource): AsyncGenerator<string> {
  yield `\uFEFF${row([
    'Title',
    'Original title',
    'Year',
    'Directors',
    'Genres',
    'Runtime (minutes)',
    'Status',
    'Suggested by',
    'Wanted by',
    'Added',
    'Status changed',
    'Description',
    'Poster',
    'TMDB',
    'IMDb',
    'Wikidata',
    'Letterboxd',
  ])}`
  for await (const { card } of cards) {
    const { movie } = card
    yield row([
      card.title,
      movie?.originalTitle,
      movie?.year,
      movie?.directors.join(', '),
      movie?.genres.join(', '),
      movie?.runtimeMinutes,
      card.status,
      card.creatorId,
      card.wantedBy?.join(', '),
      card.createdAt,
      card.statusChanges.at(-1)?.changedAt,
      card.description,
      card.imageUrl,
      movie?.ids.tmdb,
      movie?.ids.imdb,
      movie?.ids.wikidata,
      movie?.ids.letterboxd,
    ])
  }
}

/**
 * The accepted movies, in the columns that Letterboxd imports: https://letterboxd.com/about/importing-data. The review
 * is what the user wrote after the movie was accepted, oldest comment first: Letterboxd publishes it under their name.
 */
export async function* letterboxdTable(cards: ExportSource, username: string): AsyncGenerator<string> {
  yield row(['LetterboxdURI', 'tmdbID', 'imdbID', 'Title', 'Year', 'Directors', 'WatchedDate', 'Review'])
  for await (const { card, comments } of cards) {
    if (card.status !== 'WATCHED') continue
    const { ids, year, directors = [] } = card.movie ?? {}
    const watchedAt = card.statusChanges.at(-1)?.changedAt ?? card.updatedAt
    const review: string[] = []
    for await (const comment of comments) {
      if (comment.createdAt < watchedAt) break
      if (isSameUser(comment.authorId, username)) review.unshift(comment.content)
    }
    yield row([
      ids?.letterboxd === undefined ? undefined : `https://letterboxd.com/film/${ids.letterboxd}/`,
      ids?.tmdb,
      ids?.imdb,
      card.title,
      year,
      directors.join(', '),
      watchedAt.slice(0, 'YYYY-MM-DD'.length),
      review.join('\n\n'),
    ])
  }
}
