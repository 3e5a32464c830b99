import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { Link } from 'react-router'

import { receivedInvitations } from '#web/features/club/invitations/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'

import { unreadCount } from './queries.ts'

/** The largest number that the badge shows. */
const MOST = 99

/**
 * A link to the notifications, with the number of what is new: invitations that wait, and unread notifications. What could not
 * be loaded counts as none.
 */
export function Bell() {
  const { t } = useTranslation('watchlist')
  const { data } = useQuery(unreadCount())
  const { data: invitations = [] } = useQuery(receivedInvitations())
  const count = (data?.unread ?? 0) + invitations.length
  return (
    <>
      <span aria-live="polite" className="sr-only">
        {invitations.length > 0 && t('inbox.announced', { count: invitations.length })}
      </span>
      <Link
        to={to.notifications()}
        aria-label={t('topBar.notifications', { count })}
        className="relative flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:bg-raised hover:text-text [&>svg]:size-5"
      >
        <BellIcon aria-hidden />
        {count > 0 && (
          <span className="absolute top-0.5 end-0.5 flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1 text-xs font-bold text-on-accent">
            {count > MOST ? `${MOST}+` : count}
          </span>
        )}
      </Link>
    </>
  )
}
