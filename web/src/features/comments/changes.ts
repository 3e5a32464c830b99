import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Comment } from '@marquee/contract/entities/comment'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import { newIdempotencyKey } from '#web/api/idempotency-key.ts'
import { changeKey, stopReading } from '#web/api/own-changes.ts'
import { useAttempt } from '#web/api/use-attempt.ts'

import {
  type CommentChange,
  pendingComment,
  withChanged,
  withComment,
  withoutComment,
  withSettled,
} from './comment-list.ts'
import { type CardPlace, changePages, commentPages } from './queries.ts'

/** The last comments that stand in a card itself; whoever shows the card hands this in. */
export type EmbeddedComments = {
  /** Reads that are on their way end; called before the first change. */
  stopReading: (place: CardPlace) => Promise<void>
  change: (place: CardPlace, change: CommentChange) => void
  /** Asks the server for them again. */
  refresh: (place: CardPlace) => void
}

function changesOf(client: QueryClient, place: CardPlace, embedded: EmbeddedComments) {
  return {
    begin: async () => {
      const { queryKey } = commentPages(place)
      await Promise.all([stopReading(client, place.watchlistId, queryKey), embedded.stopReading(place)])
    },
    show: (change: CommentChange) => {
      changePages(client, place, change)
      embedded.change(place, change)
    },
    /** A refusal shows that what we knew was no longer so. Without a network there is nobody to ask. */
    refreshAfter: (error: unknown) => {
      if (isApiError(error, 'NETWORK_ERROR')) return
      void client.invalidateQueries({ queryKey: commentPages(place).queryKey })
      embedded.refresh(place)
    },
  }
}

/** Adds a comment of this author: it shows at once, first in the embedded list (spec section 4, "Comments"). */
export function useAddComment(place: CardPlace, authorId: string, embedded: EmbeddedComments) {
  const changes = changesOf(useQueryClient(), place, embedded)
  const attempt = useAttempt()
  return useMutation({
    mutationKey: changeKey(place.watchlistId),
    mutationFn: async (content: string) =>
      attempt(content, async (idempotencyKey) =>
        call(ENDPOINTS.addComment, { params: place, body: { content }, idempotencyKey }),
      ),
    onMutate: async (content) => {
      await changes.begin()
      const pending = pendingComment(newIdempotencyKey(), { cardId: place.cardId, content, authorId })
      changes.show(withComment(pending))
      return pending
    },
    onSuccess: (added: Comment, _, pending) => changes.show(withSettled(pending.commentId, added)),
    onError: (error, _, pending) => {
      if (pending !== undefined) changes.show(withoutComment(pending.commentId))
      changes.refreshAfter(error)
    },
  })
}

type Edit = { comment: Comment; content: string }

/** Changes what a comment says: it shows at once, as edited now. */
export function useEditComment(place: CardPlace, embedded: EmbeddedComments) {
  const changes = changesOf(useQueryClient(), place, embedded)
  return useMutation({
    mutationKey: changeKey(place.watchlistId),
    mutationFn: async ({ comment: { commentId }, content }: Edit) =>
      call(ENDPOINTS.editComment, { params: { ...place, commentId }, body: { content } }),
    onMutate: async ({ comment, content }) => {
      await changes.begin()
      changes.show(withChanged({ ...comment, content, updatedAt: new Date().toISOString() }))
    },
    onSuccess: (edited: Comment) => changes.show(withChanged(edited)),
    onError: (error, { comment }) => {
      changes.show(withChanged(comment))
      changes.refreshAfter(error)
    },
  })
}

/** Deletes a comment: it is gone at once, and an older one may take its place in the embedded list. */
export function useDeleteComment(place: CardPlace, embedded: EmbeddedComments) {
  const changes = changesOf(useQueryClient(), place, embedded)
  return useMutation({
    mutationKey: changeKey(place.watchlistId),
    mutationFn: async ({ commentId }: Comment) => call(ENDPOINTS.deleteComment, { params: { ...place, commentId } }),
    onMutate: async ({ commentId }) => {
      await changes.begin()
      changes.show(withoutComment(commentId))
    },
    onSuccess: () => embedded.refresh(place),
    onError: (error, comment) => {
      changes.show(withComment(comment))
      changes.refreshAfter(error)
    },
  })
}
