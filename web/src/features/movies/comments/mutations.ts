import { COMMENT_ENDPOINTS } from '@marquee/contract/endpoints/comments'
import type { Comment } from '@marquee/contract/entities/comment'
import { useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { changeKey, stopReading, useOptimisticChange } from '#web/api/own-changes.ts'
import { newIdempotencyKey, useAttempt } from '#web/api/idempotency.ts'
import { perform } from '#web/offline/outbox/waiting.ts'

import { feedCache } from '../feed-cache.ts'
import { type CommentChange, withChanged, withComment, withoutComment, withSettled } from '../comment-list.ts'
import { type CardPlace, changeComments, commentKeys } from '../comment-queries.ts'

/** What the mutations of comments share. */
function useCommentChange(place: CardPlace) {
  const client = useQueryClient()
  const { watchlistId, cardId } = place
  const feed = feedCache(client, watchlistId)
  return {
    mutationKey: changeKey(watchlistId),
    /** Cards bring their last comments along. */
    stopReading: async () => {
      await Promise.all([stopReading(client, watchlistId, commentKeys.ofCard(place)), feed.stopReading()])
    },
    change: (change: CommentChange) => changeComments(client, place, change),
    refreshCard: () => void feed.refresh(cardId),
    refresh: () => {
      void client.invalidateQueries({ queryKey: commentKeys.ofCard(place) })
      void feed.refresh(cardId)
    },
  }
}

/** Adds a comment, given as it is shown until the server has answered. */
export function useAddComment(place: CardPlace, title: string) {
  const { change, ...common } = useCommentChange(place)
  const attempt = useAttempt()
  return useOptimisticChange({
    ...common,
    send: async ({ content }: Comment) =>
      attempt(content, async (idempotencyKey) =>
        perform({ kind: 'comment', ...place, content }, { idempotencyKey, title }),
      ),
    show: (pending) => {
      change(withComment(pending))
      return () => change(withoutComment(pending.commentId))
    },
    settle: (added, pending) => change(withSettled(pending.commentId, added)),
  })
}

/** Changes what a comment says. */
export function useEditComment(place: CardPlace, title: string) {
  const { change, ...common } = useCommentChange(place)
  return useOptimisticChange({
    ...common,
    send: async ({ comment: { commentId }, content }: { comment: Comment; content: string }) =>
      perform({ kind: 'edit', ...place, commentId, content }, { idempotencyKey: newIdempotencyKey(), title }),
    show: ({ comment, content }) => {
      change(withChanged({ ...comment, content, updatedAt: new Date().toISOString() }))
      return () => change(withChanged(comment))
    },
    settle: (edited) => change(withChanged(edited)),
  })
}

/** Deletes a comment. The card is read again, since an older comment may now be one of the last. */
export function useDeleteComment(place: CardPlace) {
  const { change, refreshCard, ...common } = useCommentChange(place)
  return useOptimisticChange({
    ...common,
    send: async ({ commentId }: Comment) => call(COMMENT_ENDPOINTS.deleteComment, { params: { ...place, commentId } }),
    show: (comment) => {
      change(withoutComment(comment.commentId))
      return () => change(withComment(comment))
    },
    settle: refreshCard,
  })
}
