import type { Card } from '@marquee/contract/entities/card'
import type { LiveEvent } from '@marquee/contract/live-events'
import { isSameUser } from '@marquee/contract/rules/account'
import { canUndo, MOVE_TARGETS } from '@marquee/contract/rules/card-moves'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'

import { catchUp, creationKey, ownChangesAnswered } from '#web/api/own-changes.ts'
import { createEventQueue } from '#web/api/event-queue.ts'
import { logWarning } from '#web/api/log.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { commentKeys } from '../comment-queries.ts'
import { cardKeys } from '../queries.ts'
import { type FeedCache, feedCache } from '../feed-cache.ts'

/** What another user did. `before` is the card as it was in the feed. */
type CardEvent =
  | { kind: 'revealed'; card: Card; by: string }
  | { kind: 'changed'; before: Card; card: Card; hasNewComment: boolean; by: string }
  | { kind: 'put-back'; before: Card; by: string }
  | { kind: 'deleted'; before: Card; by: string }

/** Shows one event. Only its card is read, however many are loaded. */
async function applyEvent(
  feed: FeedCache,
  { kind, cardId, by = '' }: LiveEvent,
  report: (news: CardEvent) => void,
): Promise<void> {
  if (kind === 'box-changed') void Promise.all([feed.recount(), feed.readSuggestions()])
  // A member who left no longer wants the cards that show them.
  if (kind === 'members-changed') void feed.reload()
  if (cardId === undefined) return
  switch (kind) {
    case 'card-revealed':
    case 'card-changed':
    case 'comments-changed': {
      const card = await feed.read(cardId)
      const before = feed.find(cardId)
      if (card === undefined) {
        feed.remove(cardId)
        if (before !== undefined && kind === 'card-changed') report({ kind: 'put-back', before, by })
        return
      }
      // The feed may have been loaded again since the reveal: then it has the card before the event arrives.
      if (kind === 'card-revealed' && (before === undefined || before.status === card.status)) {
        report({ kind: 'revealed', card, by })
      } else if (before !== undefined) {
        report({ kind: 'changed', before, card, hasNewComment: feed.hasNewComment(card), by })
      }
      feed.putInPlace(feed.receive(card))
      if (kind === 'comments-changed') void feed.readComments(cardId)
      return
    }
    case 'card-deleted': {
      const before = feed.find(cardId)
      feed.remove(cardId)
      if (before !== undefined) report({ kind: 'deleted', before, by })
      return
    }
    case 'viewings-changed':
      return feed.readViewings(cardId)
    case 'box-changed':
    case 'draws-changed':
    case 'invitations-changed':
    case 'members-changed':
    case 'nights-changed':
    case 'notifications-changed':
    case 'requests-changed':
    case 'servers-changed':
    case 'watchlist-changed':
    case 'watchlist-deleted':
  }
}

/** What a creation or an edit of a card makes. */
const CREATION: readonly LiveEvent['kind'][] = ['card-revealed', 'card-changed']

/**
 * Keeps the cards and comments of a watchlist up to date. `onCardEvent` is called before a change shows, and only for changes of
 * other users: what this user does in another tab or on another device just appears.
 */
export function useLiveCards(watchlistId: string, username: string, onCardEvent: (news: CardEvent) => void): void {
  const client = useQueryClient()
  const report = useEffectEvent(onCardEvent)
  const queue = useRef<(event: LiveEvent) => void>(undefined)
  useEffect(() => {
    const feed = feedCache(client, watchlistId)
    const isOwn = ({ by = '' }: LiveEvent) => isSameUser(by, username)
    const add = createEventQueue(async (event) => {
      try {
        await applyEvent(feed, event, (news) => {
          if (!isOwn(event)) report(news)
        })
      } catch (error) {
        logWarning('What changed could not be read', error)
      }
    })
    queue.current = (event) => {
      // What this tab creates arrives as the answer to its request. An upload takes long, and no other event waits for it.
      if (isOwn(event) && CREATION.includes(event.kind)) {
        void ownChangesAnswered(client, creationKey(watchlistId)).then(() => add(event))
      } else add(event)
    }
  }, [client, watchlistId, username])

  useLiveEvents(watchlistId, {
    onEvent: (event) => queue.current?.(event),
    onOpen: (moment) => {
      void catchUp(client, cardKeys.all(watchlistId), moment)
      void catchUp(client, commentKeys.all(watchlistId), moment)
      void catchUp(client, cardKeys.viewings(watchlistId), moment)
    },
  })
}

/** A sentence for screen readers about what another user did, if it is worth one. */
export function useAnnouncementOf(): (news: CardEvent) => string | undefined {
  const { t } = useTranslation('moviecard')
  return (news) => {
    const user = news.by
    switch (news.kind) {
      case 'revealed':
        return t('live.revealed', { user, title: news.card.title })
      case 'put-back':
        return t('live.moved.SUGGESTED', { user, title: news.before.title })
      case 'deleted':
        return t('live.deleted', { user, title: news.before.title })
      case 'changed': {
        const { before, card } = news
        const { title } = card
        const target = MOVE_TARGETS.find((status) => status === card.status)
        if (target !== undefined && before.status !== card.status) return t(`live.moved.${target}`, { user, title })
        if (canUndo(before.status) && card.status === 'REVEALED') return t('live.undone', { user, title })
        return news.hasNewComment ? t('live.commented', { user, title }) : undefined
      }
    }
  }
}
