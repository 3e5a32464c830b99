import '#web/i18n/join-texts.ts'
import type { JoinLinkPreview } from '@marquee/contract/entities/join-link'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailure, CallFailureBanner } from '#web/api/call-failure.tsx'
import { to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { useJoinByLink } from './mutations.ts'
import { joinedByLink, joinLinkPreview } from './queries.ts'

type Invited = NonNullable<JoinLinkPreview['watchlist']>

type JoinPageProps = {
  token: string
  /** Undefined for a visitor who is not signed in. */
  username: string | undefined
  /** The address that the link was mailed to, if it is known. */
  email?: string | undefined
  /** The user has joined. */
  onJoined: (watchlistId: string) => void
}

/** What a join link leads to. Joining takes one tap; a visitor signs up or in first, and comes back here. */
export function JoinPage({ token, username, email, onJoined }: JoinPageProps) {
  const { t } = useTranslation('watchlist')
  const query = useQuery(joinLinkPreview(token))
  const { data, error } = query
  if (isApiError(error, 'NOT_FOUND')) return <NotOpen state="unknown" />
  if (data === undefined) {
    return (
      <Unread
        query={query}
        loading={t('join.loading')}
        failed={<CallFailure what={t('join.loadFailed')} kind="FETCH_ERROR" error={error} />}
      />
    )
  }
  const { state, watchlist } = data
  if (watchlist === null) {
    if (username !== undefined && state === 'used-up') return <PerhapsJoined token={token} onJoined={onJoined} />
    return <NotOpen state={state === 'open' ? 'unknown' : state} />
  }
  return (
    <>
      <Preview watchlist={watchlist} />
      {username === undefined ? (
        <Entrances token={token} email={email} />
      ) : (
        <JoinButton token={token} name={watchlist.name} username={username} onJoined={onJoined} />
      )}
    </>
  )
}

function Preview({ watchlist: { name, imageUrl, invitedBy, memberCount } }: { watchlist: Invited }) {
  const { t } = useTranslation('watchlist')
  const title = t('join.title', { user: invitedBy, name })
  return (
    <header className="flex flex-col gap-4">
      <title>{t('common:pageTitle', { page: title })}</title>
      {imageUrl !== null && (
        <img src={imageUrl} alt="" className="aspect-3/2 w-full rounded-panel bg-raised object-cover" />
      )}
      <h1 className="text-2xl break-words">{title}</h1>
      <p className="text-muted">{t('join.members', { count: memberCount })}</p>
    </header>
  )
}

/** The link for which this page has sent a visitor to the sign-up. They asked to join, and need not ask again. */
let wanted: string | undefined

function Entrances({ token, email }: Pick<JoinPageProps, 'token' | 'email'>) {
  const { t } = useTranslation('watchlist')
  const back = to.join(token)
  const state = email === undefined ? null : { email }
  return (
    <div className="flex flex-col gap-3">
      {features().registration === 'closed' ? (
        <p>{t('join.accountNeeded')}</p>
      ) : (
        <Link
          to={to.signup(back)}
          state={state}
          onClick={() => (wanted = token)}
          className={buttonStyle('primary', 'large')}
        >
          {t('join.signUp')}
        </Link>
      )}
      <Link to={to.login(back)} state={state} className={buttonStyle('quiet', 'large')}>
        {t('join.signIn')}
      </Link>
    </div>
  )
}

type JoinButtonProps = Pick<JoinPageProps, 'token' | 'onJoined'> & { name: string; username: string }

function JoinButton({ token, name, username, onJoined }: JoinButtonProps) {
  const { t } = useTranslation('watchlist')
  const join = useJoinByLink(token)
  const joinNow = () => join.mutate(undefined, { onSuccess: ({ id }) => onJoined(id) })
  const joinAsWanted = useEffectEvent(joinNow)
  useEffect(() => {
    if (wanted !== token) return
    wanted = undefined
    joinAsWanted()
  }, [token])
  return (
    <div className="flex flex-col gap-3">
      <CallFailureBanner what={t('join.failed')} error={join.error} />
      <Button tone="primary" size="large" busy={join.isPending} onClick={joinNow}>
        {t('join.submit', { name })}
      </Button>
      <p className="text-sm text-muted">{t('join.as', { user: username })}</p>
    </div>
  )
}

/** Who signed up with the last use of a link is a member already. The link does not know them, so it is asked again. */
function PerhapsJoined({ token, onJoined }: Pick<JoinPageProps, 'token' | 'onJoined'>) {
  const { t } = useTranslation('watchlist')
  const { data, isPending } = useQuery(joinedByLink(token))
  useEffect(() => {
    if (data?.watchlistId !== undefined) onJoined(data.watchlistId)
  }, [data, onJoined])
  return isPending || data?.watchlistId !== undefined ? (
    <Spinner label={t('join.loading')} />
  ) : (
    <NotOpen state="used-up" />
  )
}

/** A link that does not work says why, and nothing about its watchlist. */
function NotOpen({ state }: { state: Exclude<JoinLinkPreview['state'], 'open'> | 'unknown' }) {
  const { t } = useTranslation('watchlist')
  return (
    <>
      <title>{t('common:pageTitle', { page: t('join.closed.title') })}</title>
      <h1 className="text-2xl">{t('join.closed.title')}</h1>
      <Banner tone="info">
        <p>{t(`join.closed.${state}`)}</p>
        <p>{t('join.closed.ask')}</p>
      </Banner>
      <Link to={to.home()} className={buttonStyle('quiet', 'large')}>
        {t('join.home')}
      </Link>
    </>
  )
}
