import '#web/i18n/outbox-texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'

import { settleMovie } from '#web/features/movies/waiting/settle.ts'
import { WaitingLine } from '#web/features/movies/waiting/waiting-parts.tsx'
import { settleNight } from '#web/features/nights/night/settle-night.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import type { Items } from '#web/offline/outbox/machine.ts'
import { onSettled, openOutbox, useAllWaiting } from '#web/offline/outbox/waiting.ts'
import { classes } from '#web/ui/classes.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { announce } from '#web/ui/live-region.tsx'

type WaitingPartProps = {
  /** How many things would be lost by the sign-out that the user asked for. */
  leaving: number
  onLeave: () => void
  onStay: () => void
}

/** Sends what waits on this device, lists it, and asks before a sign-out that would lose it. Shows nothing if nothing waits. */
export function WaitingPart({ leaving, onLeave, onStay }: WaitingPartProps) {
  const { t } = useTranslation('watchlist')
  const client = useQueryClient()
  useEffect(() => {
    void openOutbox().catch(() => undefined)
    return onSettled((action, reply) => {
      settleMovie(client, action, reply)
      settleNight(client, action, reply)
    })
  }, [client])
  const items = useAllWaiting()
  useNews(items)
  return (
    <>
      {items.length > 0 && <List items={items} />}
      <ConfirmDialog
        isOpen={leaving > 0}
        title={t('outbox.signOut.title', { count: leaving })}
        description={t('outbox.signOut.text')}
        confirmLabel={t('outbox.signOut.confirm')}
        cancelLabel={t('outbox.signOut.cancel')}
        action={{ isPending: false, error: null, reset: () => {} }}
        failure={() => null}
        onConfirm={onLeave}
        onCancel={onStay}
      />
    </>
  )
}

/** Says aloud that something is kept, or was refused. */
function useNews(items: Items): void {
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
                {(item.action.kind === 'comment' || item.action.kind === 'edit') && (
                  <p dir="auto" className="line-clamp-3 whitespace-pre-line text-muted">
                    {item.action.content}
                  </p>
                )}
              </WaitingLine>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
