import type { Card, CardsPage } from '@marquee/contract/entities/card'
import type { CommentsPage } from '@marquee/contract/entities/comment'

import { clientOf } from './api-client.ts'
import type { Acknowledged } from './write-load.ts'

type Place = { url: string; token: string; watchlistId: string }

/** What is there that was not acknowledged, or is not there that was; all is well where every list is empty. */
export type Findings = {
  faults: string[]
  missingCards: string[]
  cardsNobodyWasTold: string[]
  missingComments: string[]
  commentsNobodyWasTold: string[]
  /** Cards that were drawn again without having been put back, as their history or the replies have it. */
  drawnTwice: string[]
  /** Cards whose draws in the history are not those that were acknowledged. */
  otherDraws: string[]
}

/** Nothing of it may be found. */
export const NOTHING: Findings = {
  faults: [],
  missingCards: [],
  cardsNobodyWasTold: [],
  missingComments: [],
  commentsNobodyWasTold: [],
  drawnTwice: [],
  otherDraws: [],
}

/**
 * Compares what was acknowledged with what is there, through the API alone. Draws the box empty first, so that every card
 * is seen, and a slot without a card, or a card without a slot, is noticed.
 */
export async function auditWrites(place: Place, written: Acknowledged): Promise<Findings> {
  const drawn = [...written.reveals, ...(await emptyBox(place))]
  const cards = await allCards(place)
  const found = new Set(cards.map(({ id }) => id))
  const comments = await allComments(place, [...found])
  return {
    faults: written.faults,
    missingCards: [...written.cards].filter((id) => !found.has(id)),
    cardsNobodyWasTold: [...found].filter((id) => !written.cards.has(id)),
    missingComments: [...written.comments.keys()].filter((id) => !comments.has(id)),
    commentsNobodyWasTold: [...comments].filter((id) => !written.comments.has(id)),
    drawnTwice: cards
      .filter((card) => !alternates(card) || times(drawn, card.id) > 1 + times(written.putBack, card.id))
      .map(({ id }) => id),
    otherDraws: cards
      .filter(({ id, statusChanges }) => {
        const inHistory = statusChanges.filter(({ status }) => status === 'REVEALED').length
        return inHistory !== times(drawn, id)
      })
      .map(({ id }) => id),
  }
}

/** A card's history is: into the box, out of it, and so on. */
function alternates({ statusChanges }: Card): boolean {
  return statusChanges.every(({ status }, seq) => status === (seq % 2 === 0 ? 'SUGGESTED' : 'REVEALED'))
}

function times(ids: readonly string[], wanted: string): number {
  return ids.filter((id) => id === wanted).length
}

async function emptyBox(place: Place): Promise<string[]> {
  const call = clientOf(place, place.token)
  const drawn: string[] = []
  for (;;) {
    const { status, body } = await call<Card>('POST', `/watchlists/${place.watchlistId}/cards/reveal`)
    if (status === 404) return drawn
    if (status !== 200) throw new Error(`A draw was answered with ${status}`)
    drawn.push(body.id)
  }
}

async function allCards({ watchlistId, ...place }: Place): Promise<Card[]> {
  const call = clientOf(place, place.token)
  const cards: Card[] = []
  let after = ''
  for (;;) {
    const { body } = await call<CardsPage>('GET', `/watchlists/${watchlistId}/cards?limit=50${after}`)
    cards.push(...body.cards)
    if (body.nextToken === null) return cards
    after = `&nextToken=${body.nextToken}`
  }
}

async function allComments({ watchlistId, ...place }: Place, cardIds: readonly string[]): Promise<Set<string>> {
  const call = clientOf(place, place.token)
  const pages = await Promise.all(
    cardIds.map(async (id) => {
      const { body } = await call<CommentsPage>('GET', `/watchlists/${watchlistId}/cards/${id}/comments?limit=50`)
      return body.comments
    }),
  )
  return new Set(pages.flat().map(({ commentId }) => commentId))
}
