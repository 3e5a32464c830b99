import type { Card, CardsPage, StatusChange } from '@marquee/contract/entities/card'
import type { CardContent, ContentField } from '@marquee/contract/entities/card-content'
import type { Comment } from '@marquee/contract/entities/comment'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import { ReadyJson } from '@marquee/platform/http/ready-json'

import type { ImageAddresses } from '../../images/service.ts'
import { type CardRow, type CardTables, readMovie } from './store.ts'

type PosterOf = ImageAddresses['posterOf']

/** The parts of a card that the database does not give as JSON. */
function presentOwn(row: CardRow, posterOf: PosterOf): Omit<Card, 'movie' | 'statusChanges' | 'lastComments'> {
  return {
    id: row.id,
    watchlistId: row.watchlist_id,
    ...presentTexts(row),
    ...posterOf(row),
    status: row.status,
    creatorId: row.creator_username,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    statusChangedAt: row.status_changed_at,
    selectionIndex: row.selection_index,
    ...presentWants(row),
  }
}

/** What a member wrote, except for what is JSON. Every field is named, whether a card has it or not. */
function presentTexts(row: Pick<CardRow, ContentField>): Required<Omit<CardContent, 'movie'>> {
  return { title: row.title, description: row.description }
}

/** What a member wrote. */
export function presentContent(row: Pick<CardRow, ContentField>): CardContent {
  return { ...presentTexts(row), ...presentMovie(row.movie) }
}

/** Who wants a card of the feed, its creator first, if there are others. In the box that is secret to the creator, too. */
function presentWants({ status, creator_username: creator, wants }: CardRow): Pick<Card, 'wantedBy'> {
  if (isInTheBox(status) || wants === '[]') return {}
  const others = JSON.parse(wants) as Pick<CardTables['card_wants'], 'username'>[]
  return { wantedBy: [creator, ...others.map(({ username }) => username)] }
}

/** The facts of the movie, if there are any. */
export function presentMovie(movie: string | null): Pick<Card, 'movie'> {
  const facts = readMovie(movie)
  return facts ? { movie: facts } : {}
}

/** A card as replies show it. */
export function presentCard(row: CardRow, posterOf: PosterOf): Card {
  return {
    ...presentOwn(row, posterOf),
    ...presentMovie(row.movie),
    statusChanges: JSON.parse(row.status_changes) as StatusChange[],
    lastComments: JSON.parse(row.last_comments) as Comment[],
  }
}

/** A page of cards, each as `presentCard` shows it. What is JSON in the database goes into the text as it comes. */
export function presentPage(
  rows: readonly CardRow[],
  nextToken: string | null,
  posterOf: PosterOf,
): ReadyJson<CardsPage> {
  const cards = rows.map((row) => {
    const own = JSON.stringify(presentOwn(row, posterOf))
    const movie = row.movie === null ? '' : `,"movie":${row.movie}`
    return `${own.slice(0, -1)}${movie},"statusChanges":${row.status_changes},"lastComments":${row.last_comments}}`
  })
  return new ReadyJson(`{"cards":[${cards.join(',')}],"nextToken":${JSON.stringify(nextToken)}}`)
}
