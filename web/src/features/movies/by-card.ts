import { MAX_PAGE_SIZE } from '@marquee/contract/limits'

type CardPlace = { watchlistId: string; cardId: string }

/** The cards of a call that is about to be sent. */
type Batch<Answer> = { watchlistId: string; cardIds: string[]; answer: Promise<ReadonlyMap<string, Answer>> }

/** Reads something of a card. Cards that are shown at the same moment share one call; null if the answer leaves a card out. */
export function readByCard<Answer extends { cardId: string }>(
  read: (watchlistId: string, cardIds: readonly string[]) => Promise<readonly Answer[]>,
) {
  let waiting: Batch<Answer> | undefined

  function newBatch(watchlistId: string): Batch<Answer> {
    const cardIds: string[] = []
    const answer = new Promise((resolve) => {
      setTimeout(resolve)
    }).then(async () => {
      waiting = undefined
      const cards = await read(watchlistId, cardIds)
      return new Map(cards.map((card) => [card.cardId, card]))
    })
    return { watchlistId, cardIds, answer }
  }

  return async ({ watchlistId, cardId }: CardPlace): Promise<Answer | null> => {
    if (waiting?.watchlistId !== watchlistId || waiting.cardIds.length === MAX_PAGE_SIZE) {
      waiting = newBatch(watchlistId)
    }
    waiting.cardIds.push(cardId)
    return (await waiting.answer).get(cardId) ?? null
  }
}
