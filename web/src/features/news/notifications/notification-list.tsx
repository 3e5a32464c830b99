import {
  MOVIE_NOTIFICATION_KINDS,
  type Notification,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '@marquee/contract/entities/notification'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CalendarClock, PackageCheck, Star, Unplug } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { dayName, momentText } from '#web/i18n/dates.ts'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { to, WEBHOOKS_ID } from '#web/paths.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { announce } from '#web/ui/live-region.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { notificationPages, useMarkRead } from './queries.ts'

type Known = Notification & { kind: NotificationKind }

/** What is about one card on one day, or else one notification. The newest first. */
type Topic = [Known, ...Known[]]

/** The notifications of the user by day and card, newest first. Invitations stand above them. */
export function NotificationList() {
  const { t } = useTranslation('watchlist')
  const query = useInfiniteQuery(notificationPages())
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const markRead = useMarkRead()
  const all = data?.pages.flatMap(({ notifications }) => notifications)
  const shown = all?.filter(isKnown).filter(({ kind }) => kind !== 'invited')
  const [now] = useState(() => new Date())
  const newest = all?.at(0)

  if (shown === undefined)
    return <Unread query={query} loading={t('notifications.loading')} failed={t('notifications.failed')} />
  return (
    <div className="flex flex-col gap-6">
      <CallFailureBanner what={t('notifications.readFailed')} error={markRead.error} />
      {newest !== undefined && shown.some(({ isRead }) => !isRead) && (
        <Button
          tone="quiet"
          size="small"
          className="self-start"
          busy={markRead.isPending}
          onClick={() =>
            markRead.mutate({ upTo: newest.id }, { onSuccess: () => announce(t('notifications.allRead')) })
          }
        >
          {t('notifications.readAll')}
        </Button>
      )}
      {shown.length === 0 && <p className="text-muted">{t('notifications.empty')}</p>}
      {[...Map.groupBy(shown, ({ createdAt }) => dayName(createdAt, now))].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="mb-2 text-lg">{day}</h2>
          <ul className="flex flex-col divide-y divide-line rounded-panel border border-line bg-surface">
            {topicsOf(ofDay).map((topic) => (
              <li key={topic[0].id}>
                <Row topic={topic} onRead={(ids) => markRead.mutate({ ids })} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <ShowMore busy={isFetchingNextPage} onMore={fetchNextPage}>
          {t('notifications.more')}
        </ShowMore>
      )}
    </div>
  )
}

function topicsOf(notifications: readonly Known[]): Topic[] {
  const topics = Map.groupBy(notifications, ({ id, cardId }) => cardId ?? id)
  return [...topics.values()].flatMap(([newest, ...older]) => (newest ? [[newest, ...older] satisfies Topic] : []))
}

/** A newer server may send kinds that this version does not know. */
function isKnown(notification: Notification): notification is Known {
  return NOTIFICATION_KINDS.some((kind) => kind === notification.kind)
}

/** Of what no member did. The others are reminders of a movie night. */
const ICONS: Partial<Record<NotificationKind, typeof Star>> = {
  'please-rate': Star,
  arrived: PackageCheck,
  'webhook-off': Unplug,
}

/** What a notification says, with the title of its movie. */
function useSentence(): (notification: Known) => string {
  const { t } = useTranslation('watchlist')
  return ({ kind, by, cardTitle }) => {
    const about = MOVIE_NOTIFICATION_KINDS.find((one) => one === kind)
    return about === undefined || cardTitle === null
      ? t(`notifications.kinds.${kind}`, { user: by ?? '' })
      : t(`notifications.titled.${about}`, { user: by ?? '', title: cardTitle })
  }
}

function Row({ topic, onRead }: { topic: Topic; onRead: (ids: string[]) => void }) {
  const { t } = useTranslation('watchlist')
  const [newest] = topic
  const { kind, by, watchlistName, startsAt, createdAt } = newest
  const unread = topic.filter((notification) => !notification.isRead).map(({ id }) => id)
  const isRead = unread.length === 0
  const sentences = topic.map(useSentence())
  const Icon = ICONS[kind] ?? CalendarClock
  const facts = [watchlistName, startsAt === null ? null : momentText(startsAt)]
  return (
    <Link
      to={placeOf(newest)}
      onClick={() => isRead || onRead(unread)}
      className="flex items-start gap-3 px-4 py-3 hover:bg-raised"
    >
      {by === null ? <Icon aria-hidden className="m-2 size-5 shrink-0 text-muted" /> : <PersonAvatar username={by} />}
      <span className="min-w-0 flex-1">
        {[...new Set(sentences)].map((sentence) => (
          <span key={sentence} className={classes('block wrap-anywhere', !isRead && 'font-semibold')}>
            {sentence}
          </span>
        ))}
        <span className="block text-sm text-muted wrap-anywhere">
          {facts.filter((fact) => fact !== null).join(' · ')}
        </span>
        <RelativeTime iso={createdAt} className="text-sm text-muted" />
      </span>
      {!isRead && (
        <span className="mt-2 size-2 shrink-0 rounded-full bg-accent">
          <span className="sr-only">{t('notifications.unread')}</span>
        </span>
      )}
    </Link>
  )
}

/** Where a notification leads. */
function placeOf({ kind, watchlistId, cardId }: Known): string {
  if (kind.startsWith('night-')) return to.night(watchlistId)
  if (kind === 'webhook-off') return `${to.watchlistSettings(watchlistId)}#${WEBHOOKS_ID}`
  return to.watchlist(watchlistId, cardId ?? undefined)
}
