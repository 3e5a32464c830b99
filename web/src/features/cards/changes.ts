import { type BodyInput, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'
import { changeKey, creationKey, ownChangesAnswered } from '#web/api/own-changes.ts'
import { useAttempt } from '#web/api/use-attempt.ts'

import { feedCache } from './feed-cache.ts'

/** How the sending of an uploaded image is watched and given up. */
export type Watch = { signal?: AbortSignal; onProgress?: OnProgress }

type Addition = Watch & { body: BodyInput<typeof ENDPOINTS.addCard> }

/** Adds a movie: on top of the feed if it was revealed at once, otherwise one more in the box (spec section 4). */
export function useAddCard(watchlistId: string) {
  const feed = feedCache(useQueryClient(), watchlistId)
  const attempt = useAttempt()
  return useMutation({
    mutationKey: creationKey(watchlistId),
    mutationFn: async ({ body, ...watch }: Addition) =>
      attempt(JSON.stringify(body), async (idempotencyKey) =>
        call(ENDPOINTS.addCard, { params: { watchlistId }, body, idempotencyKey, ...watch }),
      ),
    onSuccess: async (card: Card) => {
      await feed.stopReading()
      if (isInTheBox(card.status)) {
        feed.changeCount(1)
        void feed.readSuggestions()
      } else {
        feed.putOnTop(card)
      }
    },
  })
}

/**
 * Draws a random card: it goes on top of the feed, the box holds one less (spec section 4). `onRevealed` is called
 * before the card is in the feed.
 */
export function useRevealCard(watchlistId: string, onRevealed: (card: Card) => void) {
  const feed = feedCache(useQueryClient(), watchlistId)
  const attempt = useAttempt()
  return useMutation({
    mutationKey: changeKey(watchlistId),
    mutationFn: async () =>
      attempt('reveal', async (idempotencyKey) =>
        call(ENDPOINTS.revealRandomCard, { params: { watchlistId }, idempotencyKey }),
      ),
    onSuccess: async (card: Card) => {
      await feed.stopReading()
      onRevealed(card)
      feed.putOnTop(card)
      feed.changeCount(-1)
      void feed.readSuggestions()
    },
  })
}

/** What this user has just accepted or declined, and when (`performance.now()`). */
export type Decision = Move & { madeAt: number }

type Move = { card: Card; status: MoveTarget }

/** A card as it will be, shown until the server has answered. */
function moved({ card, status }: Move, username: string): Card {
  const now = new Date().toISOString()
  return {
    ...card,
    status,
    statusChangedAt: now,
    updatedAt: now,
    statusChanges: [...card.statusChanges, { status, changedBy: username, changedAt: now }],
  }
}

/**
 * Moves a revealed card: it shows at once, and where the server says no it stands where it stood. After a move the feed is
 * reloaded from the start and the box is counted again (spec section 4).
 */
export function useMoveCard(watchlistId: string, username: string) {
  const client = useQueryClient()
  const feed = feedCache(client, watchlistId)
  const mutationKey = changeKey(watchlistId)
  return useMutation({
    mutationKey,
    mutationFn: async ({ card: { id: cardId }, status }: Move) =>
      call(ENDPOINTS.moveCard, { params: { watchlistId, cardId }, body: { status } }),
    onMutate: async (move) => {
      await feed.stopReading()
      if (isInTheBox(move.status)) {
        feed.remove(move.card.id)
        feed.changeCount(1)
      } else {
        feed.putOnTop(moved(move, username))
      }
    },
    onSuccess: (card: Card) => {
      if (!isInTheBox(card.status)) feed.putOnTop(card)
      feed.keepFirstPage()
      void ownChangesAnswered(client, mutationKey).then(feed.reload)
    },
    onError: (error, { card, status }) => {
      feed.putInPlace(card)
      if (isInTheBox(status)) feed.changeCount(-1)
      if (!isApiError(error, 'NETWORK_ERROR')) void feed.refresh(card.id)
    },
  })
}

/** A card as it was before the decision about it. */
function undone(card: Card): Card {
  const statusChanges = card.statusChanges.slice(0, -1)
  const last = statusChanges.at(-1)
  return last === undefined ? card : { ...card, statusChanges, status: last.status, statusChangedAt: last.changedAt }
}

/** Undoes that this user accepted or declined a card: it shows at once, and is taken back if the server refuses. */
export function useUndoMove(watchlistId: string) {
  const feed = feedCache(useQueryClient(), watchlistId)
  const attempt = useAttempt()
  return useMutation({
    mutationKey: changeKey(watchlistId),
    mutationFn: async ({ card: { id: cardId }, madeAt }: Decision) =>
      attempt(`undo ${cardId} ${madeAt}`, async (idempotencyKey) =>
        call(ENDPOINTS.undoMove, { params: { watchlistId, cardId }, idempotencyKey }),
      ),
    onMutate: async ({ card }) => {
      await feed.stopReading()
      const decided = feed.find(card.id)
      if (decided !== undefined) feed.putInPlace(undone(decided))
      return decided
    },
    onSuccess: (card: Card) => feed.putInPlace(card),
    onError: (error, { card }, decided) => {
      if (decided !== undefined) feed.putInPlace(decided)
      if (!isApiError(error, 'NETWORK_ERROR')) void feed.refresh(card.id)
    },
  })
}

type CardEdit = Watch & { cardId: string; body: BodyInput<typeof ENDPOINTS.editCard> }

/** Changes title, description and image of a card; where it is it stays. */
export function useEditCard(watchlistId: string) {
  const feed = feedCache(useQueryClient(), watchlistId)
  return useMutation({
    mutationKey: creationKey(watchlistId),
    mutationFn: async ({ cardId, body, ...watch }: CardEdit) =>
      call(ENDPOINTS.editCard, { params: { watchlistId, cardId }, body, ...watch }),
    onSuccess: async (card: Card) => {
      await feed.stopReading()
      if (isInTheBox(card.status)) await feed.readSuggestions()
      else feed.putInPlace(card)
    },
  })
}

/** Deletes a card with its history and comments. */
export function useDeleteCard(watchlistId: string) {
  const feed = feedCache(useQueryClient(), watchlistId)
  return useMutation({
    mutationKey: changeKey(watchlistId),
    mutationFn: async ({ id: cardId }: Card) => call(ENDPOINTS.deleteCard, { params: { watchlistId, cardId } }),
    onSuccess: async (_, { id, status }) => {
      await feed.stopReading()
      // One that was in the box may have been drawn meanwhile.
      feed.remove(id)
      if (!isInTheBox(status)) return
      feed.changeCount(-1)
      await feed.readSuggestions()
    },
  })
}
