import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card } from '@marquee/contract/entities/card'

import { isApiError } from './api-error.ts'
import { call } from './call.ts'
import { randomHex } from './idempotency.ts'

const SEED_BYTES = 32
/** How often other members may take a card of a prepared draw before it is drawn in one step. */
const MAX_ATTEMPTS = 5

/**
 * Draws a card in two steps, so that every member can check the draw. If its cards have changed in the meantime, the
 * server prepares it again. A server of the previous version draws in one step.
 */
export async function revealCard(watchlistId: string, idempotencyKey: string): Promise<Card> {
  const params = { watchlistId }
  const inOneStep = async () => call(ENDPOINTS.revealRandomCard, { params, idempotencyKey })
  let drawNumber: unknown
  try {
    ;({ drawNumber } = await call(ENDPOINTS.prepareDraw, { params, body: {}, idempotencyKey }))
  } catch (error) {
    if (isApiError(error, 'NOT_FOUND')) return inOneStep()
    throw error
  }
  for (let attempt = 0; typeof drawNumber === 'number' && attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      const body = { seeds: [randomHex(SEED_BYTES)] }
      const { cards } = await call(ENDPOINTS.revealDraw, { params: { watchlistId, drawNumber }, body })
      if (cards[0] !== undefined) return cards[0]
      break
    } catch (error) {
      if (!isApiError(error, 'CONFLICT')) throw error
      drawNumber = error.details['drawNumber']
    }
  }
  return inOneStep()
}
