import type { Card, CardsPage } from '@marquee/contract/entities/card'

import { clientOf } from './api-client.ts'
import type { Acknowledged } from './write-load.ts'

const DRAW_AT_ONCE = 6

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
  /** Pictures that were uploaded and are not shown. */
  missingPictures: string[]
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
  missingPictures: [],
}

/**
 * Compares what was acknowledged with what is there, through the API alone. Draws the box empty first, so that every card
 * is seen, and a slot without a card, or a card without a slot, is noticed.
 */
export async function auditWrites(place: Place, written: Acknowledged): Promise<Findings> {
  const drawn = [...written.reveals, ...(await emptyBox(place))]
  const cards = await allCards(place)
  const found = new Set(cards.map(({ id }) => id))
  // No card has more than its page shows.
  const comments = new Set(cards.flatMap(({ lastComments }) => lastComments.map(({ commentId }) => commentId)))
  return {
    faults: written.faults,
    missingCards: [...written.cards].filter((id) => !found.has(id)),
    cardsNobodyWasTold: [...found].filter((id) => !written.cards.has(id)),
    missingComments: [...written.comments.keys()].filter((id) => !comments.has(id)),
    commentsNobodyWasTold: [...comments].filter((id) => !written.comments.has(id)),
    missingPictures: await missingPictures(place.url, cards),
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

async function missingPictures(url: string, cards: readonly Card[]): Promise<string[]> {
  const paths = new Set(cards.map(({ imageUrl }) => new URL(imageUrl).pathname))
  const missing: string[] = []
  for (const path of paths) {
    if (path.startsWith('/images/') && !(await fetch(`${url}${path}`)).ok) missing.push(path)
  }
  return missing
}

function times(ids: readonly string[], wanted: string): number {
  return ids.filter((id) => id === wanted).length
}

/** Several draw at once; each card is drawn by one of them. */
async function emptyBox(place: Place): Promise<string[]> {
  const drawn: string[] = []
  const draw = async (): Promise<void> => {
    for (;;) {
      const path = `/watchlists/${place.watchlistId}/cards/reveal`
      const { status, body } = await clientOf(place, place.token)<Card>('POST', path)
      if (status === 404) return
      if (status !== 200) throw new Error(`A draw was answered with ${status}`)
      drawn.push(body.id)
    }
  }
  await Promise.all(Array.from({ length: DRAW_AT_ONCE }, draw))
  return drawn
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
