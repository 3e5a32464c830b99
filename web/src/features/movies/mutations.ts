import type { BodyInput } from '@marquee/contract/endpoints'
import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'
import { changeKey, creationKey, moveKey, ownChangesAnswered, useOptimisticChange } from '#web/api/own-changes.ts'
import { newIdempotencyKey, useAttempt } from '#web/api/idempotency.ts'
import { KEPT } from '#web/api/kept.ts'
import { perform } from '#web/offline/outbox/waiting.ts'
import { networkFailure } from '#web/api/problem.ts'

import { feedCache } from './feed-cache.ts'
import type { FeedCard } from './feed-pages.ts'

/** Reports the progress of an upload, and cancels it. */
export type Watch = { signal?: AbortSignal; onProgress?: OnProgress }

type Addition = Watch & { body: BodyInput<typeof CARD_ENDPOINTS.addCard> }

/** Adds a movie: on top of the feed if it is revealed at once, otherwise into the box. */
export function useAddCard(watchlistId: string) {
  const feed = feedCache(useQueryClient(), watchlistId)
  const attempt = useAttempt()
  return useMutation({
    mutationKey: creationKey(watchlistId),
    mutationFn: async ({ body, ...watch }: Addition) =>
      attempt(JSON.stringify(body), async (idempotencyKey) =>
        perform({ kind: 'movie', watchlistId, body }, { idempotencyKey, title: body.title, ...watch }),
      ),
    onSuccess: async (card) => {
      if (card === KEPT) return
      await feed.stopReading()
      if (isInTheBox(card.status)) {
        feed.changeCount(1)
        void feed.readSuggestions()
      } else {
        feed.putOnTop(feed.receive(card))
      }
    },
  })
}

/** A first screen does without the code that draws. A failure counts as one of the network. */
export async function loadReveal() {
  return import('#web/api/reveal-card.ts').catch((error: unknown) => {
    throw networkFailure(error)
  })
}

/**
 * Reveals a random card of the box: it goes on top of the feed. `onRevealed` is called before that. The draw waits for moves
 * that the server has not answered: a card that was put back shows in the box before it is there.
 */
export function useRevealCard(watchlistId: string, onRevealed: (card: Card) => void) {
  const client = useQueryClient()
  const feed = feedCache(client, watchlistId)
  const attempt = useAttempt()
  return useMutation({
    mutationKey: changeKey(watchlistId),
    mutationFn: async () => {
      await ownChangesAnswered(client, moveKey(watchlistId))
      const { revealCard } = await loadReveal()
      return await attempt('reveal', async (idempotencyKey) => revealCard(watchlistId, idempotencyKey))
    },
    onSuccess: async (card: Card) => {
      await feed.stopReading()
      onRevealed(card)
      feed.putOnTop(feed.receive(card))
      feed.changeCount(-1)
      void feed.readSuggestions()
    },
  })
}

/** A move that this user has just made, and when (`performance.now()`). */
export type Decision = Move & { madeAt: number }

type Move = { card: Pick<Card, 'id' | 'title'>; status: MoveTarget }

/** A card as it will be, shown until the server has answered. */
function moved(card: FeedCard, status: MoveTarget, username: string): FeedCard {
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
 * Moves a revealed card. After a move the feed is read again from the start, and the box is counted. `getNightId` gives the open
 * night that the user sees, or null if none is open, or undefined if that is not known.
 */
export function useMoveCard(watchlistId: string, username: string, getNightId?: () => string | null | undefined) {
  const client = useQueryClient()
  const feed = feedCache(client, watchlistId)
  return useOptimisticChange({
    mutationKey: moveKey(watchlistId),
    stopReading: feed.stopReading,
    send: async ({ card: { id: cardId, title }, status }: Move) =>
      perform(
        { kind: 'move', watchlistId, cardId, status, ...(status === 'WATCHED' && { nightId: getNightId?.() }) },
        { idempotencyKey: newIdempotencyKey(), title },
      ),
    show: ({ card: { id }, status }) => {
      const before = feed.find(id)
      if (before === undefined) return () => {}
      if (!isInTheBox(status)) {
        feed.putOnTop(moved(before, status, username))
        return () => feed.putInPlace(before)
      }
      feed.remove(id)
      feed.changeCount(1)
      return () => {
        feed.putInPlace(before)
        feed.changeCount(-1)
      }
    },
    settle: (card) => {
      if (!isInTheBox(card.status)) feed.putOnTop(feed.receive(card))
      feed.keepFirstPage()
      void ownChangesAnswered(client, changeKey(watchlistId)).then(feed.reload)
    },
    refresh: ({ card }) => void feed.refresh(card.id),
  })
}

/** A card as it was before the decision about it. */
function undone(card: FeedCard): FeedCard {
  const statusChanges = card.statusChanges.slice(0, -1)
  const last = statusChanges.at(-1)
  return last === undefined ? card : { ...card, statusChanges, status: last.status, statusChangedAt: last.changedAt }
}

/** Undoes a decision of this user. */
export function useUndoMove(watchlistId: string) {
  const feed = feedCache(useQueryClient(), watchlistId)
  const attempt = useAttempt()
  return useOptimisticChange({
    mutationKey: moveKey(watchlistId),
    stopReading: feed.stopReading,
    send: async ({ card: { id: cardId }, madeAt }: Decision) =>
      attempt(`undo ${cardId} ${madeAt}`, async (idempotencyKey) =>
        call(CARD_ENDPOINTS.undoMove, { params: { watchlistId, cardId }, idempotencyKey }),
      ),
    show: ({ card: { id } }) => {
      const decided = feed.find(id)
      if (decided === undefined) return () => {}
      feed.putInPlace(undone(decided))
      return () => feed.putInPlace(decided)
    },
    settle: (card) => feed.putInPlace(feed.receive(card)),
    refresh: ({ card }) => void feed.refresh(card.id),
  })
}

type CardEdit = Watch & { cardId: string; body: BodyInput<typeof CARD_ENDPOINTS.editCard> }

/** Changes title, description and image of a card. It stays where it is. */
export function useEditCard(watchlistId: string) {
  const feed = feedCache(useQueryClient(), watchlistId)
  return useMutation({
    mutationKey: creationKey(watchlistId),
    mutationFn: async ({ cardId, body, ...watch }: CardEdit) =>
      call(CARD_ENDPOINTS.editCard, { params: { watchlistId, cardId }, body, ...watch }),
    onSuccess: async (card: Card) => {
      await feed.stopReading()
      if (isInTheBox(card.status)) await feed.readSuggestions()
      else feed.putInPlace(feed.receive(card))
    },
  })
}

/** Deletes a card. */
export function useDeleteCard(watchlistId: string) {
  const feed = feedCache(useQueryClient(), watchlistId)
  return useMutation({
    mutationKey: changeKey(watchlistId),
    mutationFn: async ({ id: cardId }: Card) => call(CARD_ENDPOINTS.deleteCard, { params: { watchlistId, cardId } }),
    onSuccess: async (_, { id, status }) => {
      await feed.stopReading()
      // A card of the box may have been revealed meanwhile.
      feed.remove(id)
      if (!isInTheBox(status)) return
      feed.changeCount(-1)
      await feed.readSuggestions()
    },
  })
}
