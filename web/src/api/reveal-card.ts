import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { DRAW_ENDPOINTS } from '@marquee/contract/endpoints/draws'
import type { Card } from '@marquee/contract/entities/card'

import { isApiError } from './api-error.ts'
import { call } from './call.ts'
import { drawCards } from './draw.ts'

/**
 * Draws a card so that every member can check the draw. A server of the previous version, and one whose box changes all the
 * time, draws in one step. A repeat with the same key gets the card whose answer was lost.
 */
export async function revealCard(watchlistId: string, idempotencyKey: string): Promise<Card> {
  const params = { watchlistId }
  try {
    const { cards } = await drawCards({
      watchlistId,
      body: {},
      idempotencyKey,
      hasOthers: false,
      reveal: async (drawNumber, seeds) =>
        call(DRAW_ENDPOINTS.revealDraw, { params: { watchlistId, drawNumber }, body: { seeds } }),
    })
    if (cards[0] !== undefined) return cards[0]
  } catch (error) {
    if (!isApiError(error, 'NOT_FOUND') && !isApiError(error, 'CONFLICT')) throw error
  }
  return call(CARD_ENDPOINTS.revealRandomCard, { params, idempotencyKey })
}
