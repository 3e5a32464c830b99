import '#web/i18n/outbox-texts.ts'
import { CircleAlert, Clock } from 'lucide-react'
import { type ReactNode, useEffect, useMemo } from 'react'

import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import type { ActionKind } from '#web/offline/outbox/actions.ts'
import { canRetry, isRemovable, type Item, type Items } from '#web/offline/outbox/machine.ts'
import { openOutbox, useAllWaiting } from '#web/offline/outbox/waiting.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { CopyText } from '#web/ui/copy-text.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** What an item does, in words. */
function useWords() {
  const { t } = useTranslation('watchlist')
  return ({ action, title }: Item) =>
    action.kind === 'move' ? t(`outbox.${action.status}`, { title }) : t(`outbox.${action.kind}`, { title })
}

/** What the user typed, if anything. */
function typedIn({ action }: Item): string | undefined {
  switch (action.kind) {
    case 'comment':
    case 'edit':
      return action.content
    case 'viewing':
      return action.body.note ?? undefined
    case 'movie':
      return [action.body.title, action.body.description].filter(Boolean).join('\n')
    case 'move':
    case 'answer':
      return undefined
  }
}

function stateOf({ state, tries }: Item): 'waiting' | 'sending' | 'unanswered' | 'refused' {
  return state === 'waiting' && tries > 0 ? 'unanswered' : state
}

type WaitingItemsProps = { items: Items; kind: ActionKind; username?: string }

/** What waits in one place: comments below others, movies above the feed, anything else as one line. */
export function WaitingItems({ items, kind, username = '' }: WaitingItemsProps) {
  if (kind === 'comment') return <WaitingComments items={items} username={username} />
  if (kind === 'movie') return <WaitingMovies items={items} />
  const last = items.findLast(({ action }) => action.kind === kind)
  if (last === undefined) return null
  // Until it is refused, a change of a comment shows in the comment.
  const isInPlace = kind === 'edit' && last.state !== 'refused'
  return <WaitingLine item={last}>{!isInPlace && <TypedText item={last} />}</WaitingLine>
}

/** The text of a comment, or of a note about a movie. */
export function TypedText({ item }: { item: Item }) {
  const text = item.action.kind === 'movie' ? undefined : typedIn(item)
  return text === undefined ? null : (
    <p dir="auto" className="line-clamp-3 whitespace-pre-line text-muted">
      {text}
    </p>
  )
}

/** In one line what is to be sent and how far it is; why it was refused; and what can be done. */
export function WaitingLine({
  item,
  isNamed = true,
  children,
}: {
  item: Item
  isNamed?: boolean
  children?: ReactNode
}) {
  const { t } = useTranslation('watchlist')
  const { t: cardText } = useTranslation('moviecard')
  const words = useWords()
  const isRefused = item.state === 'refused'
  const Icon = isRefused ? CircleAlert : Clock
  const stars = item.action.kind === 'viewing' ? item.action.body.stars : undefined
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="flex min-w-0 items-start gap-1.5 wrap-anywhere">
          <Icon aria-hidden className={classes('mt-0.5 size-4 shrink-0', isRefused ? 'text-danger' : 'text-muted')} />
          <span>
            {isNamed && <bdi>{words(item)}</bdi>}
            {isNamed && ' · '}
            <span className={isRefused ? 'text-danger' : 'text-muted'}>{t(`outbox.${stateOf(item)}`)}</span>
          </span>
        </p>
        {isRemovable(item) && <DiscardButton item={item} kind="takeBack" />}
      </div>
      {typeof stars === 'number' && <p>{cardText('seen.stars', { stars: numberText(stars), count: stars })}</p>}
      {children}
      {isRefused && <Refused item={item} />}
    </div>
  )
}

function Refused({ item }: { item: Item }) {
  const { t } = useTranslation('watchlist')
  const words = useWords()
  const all = useAllWaiting()
  const { refusal, mayBeDone } = item
  const typed = typedIn(item)
  const reason = refusal?.reason === 'said' ? refusal.message : refusal && t(`outbox.reasons.${refusal.reason}`)
  return (
    <>
      <p className="text-muted">
        {reason}
        {mayBeDone === true && refusal?.reason !== 'unsure' && ` ${t('outbox.reasons.mayBeDone')}`}
      </p>
      <div className="flex flex-wrap gap-2">
        {typed !== undefined && <CopyText text={typed} label={t('outbox.copy')} doneLabel={t('outbox.copied')} />}
        {canRetry(all, item) && (
          <Button
            tone="quiet"
            size="small"
            aria-label={t('outbox.retryLabel', { what: words(item) })}
            onClick={async () => (await openOutbox()).retry(item.id)}
          >
            {t('outbox.retry')}
          </Button>
        )}
        <DiscardButton item={item} kind="discard" />
      </div>
    </>
  )
}

function DiscardButton({ item, kind }: { item: Item; kind: 'takeBack' | 'discard' }) {
  const { t } = useTranslation('watchlist')
  const words = useWords()
  return (
    <Button
      tone="quiet"
      size="small"
      aria-label={t(`outbox.${kind}Label`, { what: words(item) })}
      onClick={async () => (await openOutbox()).discard(item.id)}
    >
      {t(`outbox.${kind}`)}
    </Button>
  )
}

/** The user's comments on a card that are not sent yet, below the others. */
function WaitingComments({ items, username }: { items: Items; username: string }) {
  const { t } = useTranslation('watchlist')
  return (
    <ol aria-label={t('outbox.yours')} className="flex flex-col gap-3">
      {items.map((item) =>
        item.action.kind === 'comment' ? (
          <li key={item.id} className="flex gap-2.5">
            <PersonAvatar username={username} size="small" />
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <p className="text-sm font-semibold">{username}</p>
              <p dir="auto" className="max-w-[65ch] whitespace-pre-line text-muted">
                {item.action.content}
              </p>
              <WaitingLine item={item} isNamed={false} />
            </div>
          </li>
        ) : null,
      )}
    </ol>
  )
}

/** New movies that are not sent yet, above the feed. */
function WaitingMovies({ items }: { items: Items }) {
  const { t } = useTranslation('watchlist')
  return (
    <ul aria-label={t('outbox.newMovies')} className="flex flex-col gap-3">
      {items.map((item) =>
        item.action.kind === 'movie' ? (
          <li key={item.id}>
            <Panel className="flex gap-3 border-dashed">
              <Picture item={item} />
              <div className="flex min-w-0 flex-1 flex-col gap-1">
                <h3 className="text-lg">
                  <bdi>{item.title}</bdi>
                </h3>
                <p className="text-sm text-muted">
                  {t(item.action.body.revealImmediately === true ? 'outbox.toFeed' : 'outbox.toBox')}
                </p>
                <WaitingLine item={item} isNamed={false} />
              </div>
            </Panel>
          </li>
        ) : null,
      )}
    </ul>
  )
}

/** A chosen picture. One at an address is not there without a connection. */
function Picture({ item: { action } }: { item: Item }) {
  const picture = action.kind === 'movie' ? action.picture : undefined
  const url = useMemo(() => picture && URL.createObjectURL(picture), [picture])
  useEffect(
    () => () => {
      if (url !== undefined) URL.revokeObjectURL(url)
    },
    [url],
  )
  return url === undefined ? null : <img src={url} alt="" className="h-24 w-16 shrink-0 rounded-poster object-cover" />
}
