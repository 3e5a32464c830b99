import type { Card } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'
import { EMBEDDED_COMMENTS } from '@marquee/contract/limits'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { focusSoon } from '#web/ui/focus-soon.ts'
import { announce } from '#web/ui/live-region.tsx'

import { AddComment } from './add-comment.tsx'
import { AllComments } from './all-comments.tsx'
import { type EmbeddedComments, useAddComment, useDeleteComment, useEditComment } from './changes.ts'
import { CommentItem, type OwnCommentActions } from './comment-item.tsx'
import { oldestFirst } from './comment-list.ts'
import type { CommentAction } from './failure.ts'
import { FailureBanner } from './failure-banner.tsx'
import { PreviousComments } from './previous-comments.tsx'
import { commentPages, commentsOf } from './queries.ts'

type CommentAreaProps = {
  card: Pick<Card, 'id' | 'watchlistId' | 'title' | 'lastComments'>
  username: string
  /** Only members comment; others read. */
  isMember: boolean
  embedded: EmbeddedComments
}

/** What is said about a movie: the last comments, those before them on request, and a form (spec section 2). */
export function CommentArea({ card, username, isMember, embedded }: CommentAreaProps) {
  const { t } = useTranslation('moviecard')
  const { id: cardId, watchlistId, lastComments } = card
  const place = useMemo(() => ({ watchlistId, cardId }), [watchlistId, cardId])
  const client = useQueryClient()
  const area = useRef<HTMLElement>(null)
  const [previous, setPrevious] = useState<'not-asked' | 'loading' | 'shown'>('not-asked')
  const [failure, setFailure] = useState<{ action: CommentAction; error: unknown }>()
  const { mutateAsync: add } = useAddComment(place, username, embedded)
  const { mutateAsync: edit } = useEditComment(place, embedded)
  const { mutateAsync: remove } = useDeleteComment(place, embedded)

  /** Does something that shows at once; where the server says no it is undone, and this is the place that says so. */
  const attempt = async (action: CommentAction, work: () => Promise<unknown>, news: string): Promise<boolean> => {
    setFailure(undefined)
    try {
      await work()
      announce(news)
      return true
    } catch (error) {
      setFailure({ action, error })
      return false
    }
  }
  const actions: OwnCommentActions = {
    onEdit: async (comment, content) =>
      attempt('edit', async () => edit({ comment, content }), t('comments.wasEdited')),
    onDelete: (comment) => {
      focusSoon(area)
      void attempt('delete', async () => remove(comment), t('comments.wasDeleted'))
    },
  }

  const showLoaded = (more: number) => {
    setFailure(undefined)
    announce(t('comments.loaded', { count: more }))
    focusSoon(area)
  }
  const failToLoad = (error: unknown) => setFailure({ action: 'load', error })
  const loadPrevious = async () => {
    setPrevious('loading')
    try {
      const pages = await client.infiniteQuery(commentPages(place))
      setPrevious('shown')
      showLoaded(Math.max(0, commentsOf(pages).length - lastComments.length))
    } catch (error) {
      setPrevious('not-asked')
      failToLoad(error)
    }
  }

  const list = (comments: Comment[]) => (
    <CommentList comments={comments} username={username} isMember={isMember} actions={actions} />
  )
  if (!isMember && lastComments.length === 0) return null
  return (
    <section
      ref={area}
      tabIndex={-1}
      aria-label={t('comments.area', { title: card.title })}
      className="flex flex-col gap-3 border-t border-line pt-3 focus:outline-none"
    >
      {previous === 'shown' ? (
        <AllComments place={place} embedded={lastComments} onLoaded={showLoaded} onFailed={failToLoad}>
          {list}
        </AllComments>
      ) : (
        <>
          {lastComments.length === EMBEDDED_COMMENTS && (
            <PreviousComments isLoading={previous === 'loading'} onLoad={() => void loadPrevious()} />
          )}
          {list(oldestFirst([], lastComments))}
        </>
      )}
      {failure !== undefined && <FailureBanner {...failure} />}
      {isMember && (
        <AddComment
          cardId={cardId}
          onAdd={async (content) => attempt('add', async () => add(content), t('comments.wasAdded'))}
          onClose={() => setFailure(undefined)}
        />
      )}
    </section>
  )
}

type CommentListProps = { comments: Comment[]; username: string; isMember: boolean; actions: OwnCommentActions }

function CommentList({ comments, username, isMember, actions }: CommentListProps) {
  if (comments.length === 0) return null
  return (
    <ol className="flex flex-col gap-3">
      {comments.map((comment) => (
        <CommentItem
          key={comment.commentId}
          comment={comment}
          actions={isMember && isSameUser(comment.authorId, username) ? actions : undefined}
        />
      ))}
    </ol>
  )
}
