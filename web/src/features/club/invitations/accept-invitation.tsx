import { INVITATION_REDIRECT_MS } from '@marquee/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useReason } from '#web/api/use-reason.ts'
import { to } from '#web/paths.ts'
import { Banner, RetryBanner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { invitationFailure, serverMessage } from './failure.ts'
import { acceptance } from './queries.ts'

type Joined = { id: string; name: string; isRefreshed: boolean }

type AcceptView =
  | { step: 'accepting' }
  | { step: 'joined'; watchlist: Joined }
  | { step: 'wrong-account'; reason: string }
  | { step: 'failed'; error: unknown }

type AcceptInvitationProps = {
  token: string
  username: string
  /** Refreshes the session and the watchlists. */
  refresh: () => Promise<void>
  /** Opens the watchlist. */
  onLeave: (watchlistId: string) => void
  /** Signs out, or asks about it while `isSwitching`. The next sign-in leads back to this link. */
  onSwitchAccount: () => void
  isSwitching: boolean
}

/** Joins the watchlist of an invitation link at once, and opens it. */
export function AcceptInvitation(props: AcceptInvitationProps) {
  const { token, username, refresh, onLeave, onSwitchAccount, isSwitching } = props
  const { t } = useTranslation()
  const { data, error, isFetching, refetch } = useQuery(acceptance(token, refresh))
  const view = viewOf(data, error, isFetching)

  switch (view.step) {
    case 'accepting':
      return <Spinner label={t('invitation.accepting')} />
    case 'joined':
      return view.watchlist.isRefreshed ? (
        <Redirecting watchlist={view.watchlist} onLeave={onLeave} />
      ) : (
        <NotRefreshed watchlist={view.watchlist} />
      )
    case 'wrong-account':
      return (
        <WrongAccount reason={view.reason} username={username} onSwitch={onSwitchAccount} isSwitching={isSwitching} />
      )
    case 'failed':
      return <Failed error={view.error} onRetry={() => void refetch()} />
  }
}

function viewOf(data: Joined | undefined, error: unknown, isFetching: boolean): AcceptView {
  if (data !== undefined) return { step: 'joined', watchlist: data }
  if (error === null || isFetching) return { step: 'accepting' }
  // The server names the invitee, since the user holds the token.
  if (isApiError(error, 'UNAUTHORIZED') && error.status === 403) return { step: 'wrong-account', reason: error.message }
  return { step: 'failed', error }
}

function Redirecting({ watchlist, onLeave }: { watchlist: Joined; onLeave: (watchlistId: string) => void }) {
  const { t } = useTranslation()
  const { id, name } = watchlist
  useEffect(() => {
    const timer = setTimeout(() => onLeave(id), INVITATION_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [id, onLeave])
  return (
    <Banner tone="success">
      <p className="font-semibold">{t('invitation.joined')}</p>
      <p>{t('invitation.redirecting', { name })}</p>
    </Banner>
  )
}

/** The user has joined, but the watchlists could not be refreshed, so the user opens it with a link. */
function NotRefreshed({ watchlist: { id, name } }: { watchlist: Joined }) {
  const { t } = useTranslation()
  return (
    <>
      <Banner tone="success">{t('invitation.joined')}</Banner>
      <Banner tone="error">{t('invitation.refreshFailed')}</Banner>
      <Link to={to.watchlist(id)} replace className={buttonStyle('primary', 'large')}>
        {t('invitation.open', { name })}
      </Link>
    </>
  )
}

type WrongAccountProps = { reason: string; username: string; onSwitch: () => void; isSwitching: boolean }

function WrongAccount({ reason, username, onSwitch, isSwitching }: WrongAccountProps) {
  const { t } = useTranslation()
  return (
    <>
      <Banner tone="error">
        <p>{reason}</p>
        <p>{t('invitation.signedInAs', { user: username })}</p>
      </Banner>
      <Button tone="primary" size="large" busy={isSwitching} onClick={onSwitch}>
        {t('invitation.switchAccount')}
      </Button>
      <BackToWatchlists />
    </>
  )
}

/** A link that does not work, with the message of the server. Temporary failures can be retried. */
function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const reason = useReason()
  const mayPass = isApiError(
    error,
    'NETWORK_ERROR',
    'REFRESH_ERROR',
    'SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
    'TOO_MANY_REQUESTS',
  )
  const why = mayPass ? reason(error, invitationFailure('accept', error)) : undefined
  const text = serverMessage(error) ?? why ?? t('invitation.invalid')
  return (
    <>
      {mayPass ? <RetryBanner query={{ refetch: onRetry }}>{text}</RetryBanner> : <Banner tone="error">{text}</Banner>}
      <BackToWatchlists />
    </>
  )
}

/** An invitation link without a token. */
export function NoInvitation() {
  const { t } = useTranslation()
  return (
    <>
      <Banner tone="error">{t('invitation.invalid')}</Banner>
      <BackToWatchlists />
    </>
  )
}

function BackToWatchlists() {
  const { t } = useTranslation()
  return (
    <Link to={to.watchlists()} className={buttonStyle('quiet', 'large')}>
      {t('invitation.back')}
    </Link>
  )
}
