import '#web/i18n/outbox-texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'

import { CommentForm } from '#web/features/movies/comments/lazy-comment-form.tsx'
import { AddMovieForm } from '#web/features/movies/form/lazy-forms.tsx'
import { ViewingPanel } from '#web/features/movies/viewings/lazy-panel.tsx'
import { WaitingItems } from '#web/features/movies/waiting/lazy-waiting.tsx'
import { loadReveal } from '#web/features/movies/mutations.ts'
import { settleMovie } from '#web/features/movies/waiting/settle.ts'
import { TypedText, WaitingLine } from '#web/features/movies/waiting/waiting-parts.tsx'
import { settleNight } from '#web/features/nights/night/settle-night.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import type { Action } from '#web/offline/outbox/actions.ts'
import type { Items } from '#web/offline/outbox/machine.ts'
import { openOutbox, settlers, useAllWaiting } from '#web/offline/outbox/waiting.ts'
import { classes } from '#web/ui/classes.ts'
import { announce } from '#web/ui/live-region.tsx'

import { LeaveQuestion } from './lazy-leave-question.tsx'

/** Sends what waits on this device, and lists it. Shows nothing if nothing waits. */
export function WaitingPart() {
  const client = useQueryClient()
  useEffect(() => {
    // Without a connection they could not load.
    for (const part of [CommentForm, AddMovieForm, ViewingPanel, LeaveQuestion]) void part.preload()
    loadReveal().catch(() => undefined)
    const settle = (action: Action, reply: unknown) => {
      settleMovie(client, action, reply)
      settleNight(client, action, reply)
    }
    let isLeft = false
    void WaitingItems.preload().then((isReady) => {
      if (isLeft) return
      if (isReady) settlers.add(settle)
      openOutbox().catch(() => undefined)
    })
    return () => {
      isLeft = true
      settlers.delete(settle)
    }
  }, [client])
  const items = useAllWaiting()
  useAnnouncements(items)
  return items.length > 0 && <List items={items} />
}

/** Says aloud that something is kept, or was refused. */
function useAnnouncements(items: Items): void {
  const { t } = useTranslation('watchlist')
  const refused = items.filter(({ state }) => state === 'refused').length
  const before = useRef({ count: items.length, refused })
  useEffect(() => {
    if (refused > before.current.refused) announce(t('outbox.refusedCount', { count: refused }))
    else if (items.length > before.current.count) announce(t('outbox.kept'))
    before.current = { count: items.length, refused }
  }, [items.length, refused, t])
}

function List({ items }: { items: Items }) {
  const { t } = useTranslation('watchlist')
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const refused = items.filter(({ state }) => state === 'refused').length
  const waiting = items.length - refused
  return (
    <section aria-label={t('outbox.list')} className="mx-auto w-full max-w-[68.75rem] px-4 pt-2 sm:px-6">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-9 flex-wrap items-center gap-x-3 rounded-control text-start text-sm pointer-coarse:min-h-11"
      >
        {refused > 0 && <span className="text-danger">{t('outbox.refusedCount', { count: refused })}</span>}
        {waiting > 0 && <span className="text-muted">{t('outbox.waitingCount', { count: waiting })}</span>}
        <ChevronDown
          aria-hidden
          className={classes('size-4 text-muted transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      {isOpen && (
        <ul id={listId} className="mt-1 flex flex-col gap-3 rounded-panel border border-line bg-surface p-3">
          {items.map((item) => (
            <li key={item.id}>
              <WaitingLine item={item}>
                <TypedText item={item} />
              </WaitingLine>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
