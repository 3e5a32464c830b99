import type { Card } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'
import { EMBEDDED_COMMENTS } from '@marquee/contract/limits'
import { isSameUser } from '@marquee/contract/rules/account'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronUp } from 'lucide-react'
import { type RefObject, useMemo, useRef, useState } from 'react'

import { newIdempotencyKey } from '#web/api/idempotency.ts'
import { KEPT } from '#web/api/kept.ts'
import { readBetweenChanges } from '#web/api/own-changes.ts'
import { useWaiting } from '#web/offline/outbox/waiting.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { type Draft, useDraft } from '#web/session/drafts.ts'
import { PartFailed } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { announce } from '#web/ui/live-region.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { type CommentAction, CommentFailureBanner } from './comment-failure.tsx'
import { AddComment, commentDraftPlace } from './add-comment.tsx'
import { useArrivals } from './arrivals.ts'
import { CommentItem, type OwnCommentActions } from './comment-item.tsx'
import { WaitingAt } from '../waiting/lazy-waiting.tsx'
import { isPending, pendingComment } from '../comment-list.ts'
import { useAddComment, useDeleteComment, useEditComment } from './mutations.ts'
import { type CardPlace, commentPages, shownComments } from '../comment-queries.ts'
import { useSpoilers } from './spoilers.ts'

const SpoilerWall = lazyPart({
  load: async () => (await import('./spoiler-wall.tsx')).SpoilerWall,
  Loading: () => <Skeleton className="h-24" />,
  Failed: PartFailed,
})

type CommentAreaProps = {
  card: Pick<Card, 'id' | 'watchlistId' | 'title' | 'status' | 'statusChangedAt'>
  username: string
  /** Only members comment. Others read. */
  isMember: boolean
}

/** The comments on a card: the last ones, those before them on request, and a form for a new one. */
export function CommentArea({ card, username, isMember }: CommentAreaProps) {
  const { t } = useTranslation('moviecard')
  const { id: cardId, watchlistId } = card
  const place = useMemo(() => ({ watchlistId, cardId }), [watchlistId, cardId])
  const area = useRef<HTMLElement>(null)
  const { failure, setFailure, actions, addComment } = useActions(place, card.title, username, area)
  const { now, isLoading, loadPrevious } = useComments(place, area)
  const draft = useCommentDraft(cardId, now.comments)
  // Those who write take part in what the others say.
  const [isWriting, setWriting] = useState(() => draft.read() !== undefined)
  const { comments, hasPrevious, arrived, showAll } = useArrivals(now, username, isMember && !isWriting)
  const { shown, folded, hasMore, readAnyway } = useSpoilers(card, comments, { username, isMember })

  const showPrevious = async () => {
    const result = await loadPrevious()
    showAll()
    if ('error' in result) return setFailure({ action: 'load', error: result.error })
    setFailure(undefined)
    announce(t('comments.loaded', { count: result.count }))
    return focusSoon(area)
  }

  if (!isMember && comments.length === 0) return null
  return (
    <section
      ref={area}
      tabIndex={-1}
      aria-label={t('comments.area', { title: card.title })}
      className="flex flex-col gap-3 border-t border-line pt-3 focus:outline-none"
    >
      {hasPrevious && (
        <Button
          tone="quiet"
          size="small"
          icon={<ChevronUp aria-hidden />}
          busy={isLoading}
          onClick={() => void showPrevious()}
          className="self-start"
        >
          {t('comments.loadPrevious')}
        </Button>
      )}
      {shown.length > 0 && (
        <Comments cardId={cardId} comments={shown} username={isMember ? username : undefined} actions={actions} />
      )}
      {folded > 0 && (
        <SpoilerWall
          place={place}
          title={card.title}
          count={folded}
          hasMore={hasPrevious && hasMore}
          onOpen={() => focusSoon(area)}
          onReadAnyway={readAnyway}
        />
      )}
      <WaitingAt place={cardId} kind="comment" username={username} />
      {failure !== undefined && <CommentFailureBanner {...failure} />}
      {isMember && (
        // The button for new comments has room here, so it moves nothing.
        <div className="flex flex-wrap items-start gap-2">
          <AddComment
            draft={draft}
            onAdd={addComment}
            onToggle={(isOpen) => {
              setWriting(isOpen)
              if (!isOpen) setFailure(undefined)
            }}
          />
          <Arrivals
            count={arrived}
            onShow={() => {
              showAll()
              focusSoon(area, { preventScroll: true })
            }}
          />
        </div>
      )}
    </section>
  )
}

/** The draft of a new comment. It keeps a text that is being sent, which is none to go on with: it would be sent again. */
function useCommentDraft(cardId: string, comments: readonly Comment[]): Draft {
  const draft = useDraft(commentDraftPlace(cardId))
  const read = () => {
    const text = draft.read()
    return comments.some((one) => isPending(one) && one.content === text?.trim()) ? undefined : text
  }
  return { ...draft, read }
}

/** Shows the comments that wait. */
function Arrivals({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('moviecard')
  if (count === 0) return null
  return (
    <Button tone="quiet" size="small" onClick={onShow}>
      {t('comments.arrived', { count })}
    </Button>
  )
}

type CommentsProps = {
  cardId: string
  comments: readonly Comment[]
  /** Undefined for those who cannot comment. */
  username: string | undefined
  actions: OwnCommentActions
}

function Comments({ cardId, comments, username, actions }: CommentsProps) {
  const waiting = useWaiting(cardId)
  return (
    <ol className="flex flex-col gap-3">
      {comments.map((comment) => (
        <CommentItem
          key={comment.commentId}
          comment={comment}
          waiting={waiting.findLast(({ action }) => action.kind === 'edit' && action.commentId === comment.commentId)}
          actions={username !== undefined && isSameUser(comment.authorId, username) ? actions : undefined}
        />
      ))}
    </ol>
  )
}

/** Adds, edits and deletes. Each is announced; the failure of the last is shown. */
function useActions(place: CardPlace, title: string, username: string, area: RefObject<HTMLElement | null>) {
  const { t } = useTranslation('moviecard')
  const [failure, setFailure] = useState<{ action: CommentAction; error: unknown }>()
  const { mutateAsync: add } = useAddComment(place, title)
  const { mutateAsync: edit } = useEditComment(place, title)
  const { mutateAsync: remove } = useDeleteComment(place)

  const attempt = async (action: CommentAction, work: () => Promise<unknown>, news: string): Promise<boolean> => {
    setFailure(undefined)
    try {
      // What is kept announces itself.
      if ((await work()) !== KEPT) announce(news)
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
  const addComment = async (content: string) => {
    const pending = pendingComment(newIdempotencyKey(), { cardId: place.cardId, content, authorId: username })
    return attempt('add', async () => add(pending), t('comments.wasAdded'))
  }
  return { failure, setFailure, actions, addComment }
}

/** How many of the comments are older than those that were shown. Others may have arrived or gone meanwhile. */
function olderThan(before: readonly Comment[], now: readonly Comment[]): number {
  const oldest = before.at(-1)
  const known = new Set(before.map(({ commentId }) => commentId))
  return now.filter((one) => !known.has(one.commentId) && (oldest === undefined || one.createdAt <= oldest.createdAt))
    .length
}

/** The comments on a card, oldest first. `loadPrevious` gives how many it has added. */
function useComments(place: CardPlace, area: RefObject<HTMLElement | null>) {
  const client = useQueryClient()
  const { data, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(commentPages(place))
  const [isLoading, setLoading] = useState(false)
  const shown = useMemo(() => shownComments(data), [data])
  const hasPrevious = shown.isSeed ? shown.comments.length === EMBEDDED_COMMENTS : hasNextPage
  const isLoaded = data !== undefined
  const now = useMemo(
    () => ({ comments: shown.comments.toReversed(), hasPrevious, isLoaded }),
    [shown, hasPrevious, isLoaded],
  )

  /** A change meanwhile begins the read again, without the page that was under way. */
  const fetchMore = async (): ReturnType<typeof fetchNextPage> => {
    const result = await fetchNextPage()
    const isCut = !result.isError && result.hasNextPage && result.data?.pages.length === data?.pages.length
    return isCut && area.current !== null ? fetchMore() : result
  }
  const loadPrevious = async (): Promise<{ count: number } | { error: unknown }> => {
    setLoading(true)
    const { data: loaded, error } = shown.isSeed
      ? await readBetweenChanges(client, place.watchlistId, async () => refetch())
      : await fetchMore()
    setLoading(false)
    if (error !== null) return { error }
    return { count: olderThan(shown.comments, shownComments(loaded).comments) }
  }

  return { now, isLoading, loadPrevious }
}
