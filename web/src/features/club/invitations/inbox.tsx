import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'

import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { receivedInvitations } from './queries.ts'
import { ReceivedList } from './received-list.tsx'

type InboxProps = { onJoined: (watchlist: Watchlist) => void }

/** A button with the number of pending invitations, and a panel with them. */
export function Inbox({ onJoined }: InboxProps) {
  const { t } = useTranslation('watchlist')
  const { data: invitations = [] } = useQuery(receivedInvitations())
  const count = invitations.length
  return (
    <>
      <span aria-live="polite" className="sr-only">
        {count > 0 && t('inbox.announced', { count })}
      </span>
      <Popover
        label={t('inbox.button', { count })}
        triggerClassName="relative flex size-11 shrink-0 max-sm:w-9 items-center justify-center rounded-full text-muted hover:bg-raised hover:text-text data-open:bg-raised data-open:text-text [&>svg]:size-5"
        panelClassName="end-4 top-full mt-2 max-h-[calc(100dvh-6rem)] w-88 max-w-[calc(100vw-2rem)] sm:end-6"
        trigger={
          <>
            <Mail aria-hidden />
            {count > 0 && (
              <span className="absolute top-0.5 end-0.5 flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1 text-xs font-bold text-on-accent">
                {count}
              </span>
            )}
          </>
        }
      >
        {(close) => (
          <div className="flex flex-col gap-4">
            <h2 className="text-xl">{t('inbox.title')}</h2>
            <InboxContent
              onJoined={(watchlist) => {
                close()
                onJoined(watchlist)
              }}
            />
          </div>
        )}
      </Popover>
    </>
  )
}

function InboxContent({ onJoined }: InboxProps) {
  const { t } = useTranslation('watchlist')
  const received = useQuery(receivedInvitations())
  if (received.data !== undefined) return <ReceivedList invitations={received.data} onJoined={onJoined} />
  if (received.isPending) return <Spinner label={t('inbox.loading')} />
  return (
    <RetryBanner onRetry={received.refetch} isRetrying={received.isFetching}>
      {t('inbox.failed')}
    </RetryBanner>
  )
}
