import type { NightAsGuest } from '@marquee/contract/entities/night'
import type { NightVote, NightVoteState } from '@marquee/contract/entities/vote'
import { useQuery } from '@tanstack/react-query'
import { DoorOpen, MapPin } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Link } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { CallFailureBanner, whyFailed } from '#web/api/call-failure.tsx'
import { callWithPass } from '#web/api/night-pass.ts'
import { features } from '#web/config.ts'
import { momentText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useDraft } from '#web/session/drafts.ts'
import { AskFirst } from '#web/ui/ask-first.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { ballotDraftPlace, BallotForm } from './ballot-form.tsx'
import { Accepted, DecideSection, latestOutcome } from './decide-section.tsx'
import {
  guestNight,
  type GuestPass,
  useClaim,
  useGuestBallot,
  useGuestVeto,
  useLeaveAsGuest,
  useLiveGuestNight,
} from './guest-pass.ts'
import { NightWhere } from './lazy-where.tsx'
import { personStyle, Place } from './night-parts.tsx'
import { useStepAnnouncement } from './step-announcement.ts'
import { castIn } from './vote-queries.ts'
import { VoteFrame, VoteResult } from './vote-section.tsx'

type GuestNightProps = {
  pass: GuestPass
  username: string | undefined
  onGone: () => void
  /** The account of this user has what the guest did, who stays one. */
  onSaved: (username: string) => void
  onMember: (watchlistId: string) => void
}

/** The night of a guest: who is there, the vote, and how to keep it. */
export function GuestNight({ pass, username, onGone, onSaved, onMember }: GuestNightProps) {
  const { t } = useTranslation('watchlist')
  const query = useQuery(guestNight(pass))
  const { data, error } = query
  useLiveGuestNight(pass)
  if (isApiError(error, 'UNAUTHORIZED') && username !== undefined) {
    return <EndedPass pass={pass} onGone={onGone} onMember={onMember} />
  }
  if (isApiError(error, 'UNAUTHORIZED', 'NOT_FOUND')) return <Gone onGone={onGone} />
  if (data === undefined) return <Unread query={query} loading={t('night.loading')} failed={t('night.loadFailed')} />
  const { night, state } = data
  return (
    <>
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl wrap-anywhere">{t('night.join.at', { name: night.watchlistName })}</h1>
        <p className="text-sm text-muted">{momentText(night.startsAt)}</p>
        {night.place !== null && (
          <p className="flex items-start gap-2 [&_svg]:mt-1 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted">
            <MapPin aria-hidden />
            <Place text={night.place} />
          </p>
        )}
      </header>
      <h2 className="sr-only">{t('night.title')}</h2>
      <GuestVote pass={pass} night={night} state={state} />
      {night.state === 'open' ? (
        <People night={night} guestId={pass.guestId} />
      ) : (
        <output>{t('night.join.over')}</output>
      )}
      <Claim pass={pass} username={username} onSaved={onSaved} onMember={onMember} />
      {night.state === 'open' && <Leave pass={pass} onLeft={onGone} />}
    </>
  )
}

function Gone({ onGone }: Pick<GuestNightProps, 'onGone'>) {
  const { t } = useTranslation('watchlist')
  return (
    <>
      <h1 className="text-2xl">{t('night.title')}</h1>
      <Banner tone="info">{t('night.join.gone')}</Banner>
      <Button tone="quiet" size="large" onClick={onGone}>
        {t('night.join.again')}
      </Button>
    </>
  )
}

/** A claim whose answer was lost may have ended the pass. The server answers a member who repeats it. */
function EndedPass({ pass, onGone, onMember }: Pick<GuestNightProps, 'pass' | 'onGone' | 'onMember'>) {
  const { t } = useTranslation('watchlist')
  const { mutate, isError, data } = useClaim(pass)
  const arrive = useEffectEvent(onMember)
  useEffect(() => {
    mutate(undefined, { onSuccess: ({ isMember, watchlistId }) => isMember && arrive(watchlistId) })
  }, [mutate])
  if (isError || data?.isMember === false) return <Gone onGone={onGone} />
  return <Spinner label={t('night.loading')} />
}

function People({ night, guestId: own }: { night: NightAsGuest; guestId: string }) {
  const { t } = useTranslation('watchlist')
  const people = [
    ...night.present.map(({ username }) => ({ key: username, name: username, text: username })),
    ...night.guests.map(({ guestId, nickname }) => {
      const text = t(guestId === own ? 'night.join.you' : 'night.guests.guest', { name: nickname })
      return { key: guestId, name: nickname, text }
    }),
  ]
  return (
    <section className="flex flex-col gap-2">
      <output className="font-semibold">{t('night.open.here', { count: people.length })}</output>
      <ul className="flex flex-wrap gap-2">
        {people.map(({ key, name, text }) => (
          <li key={key} className={personStyle}>
            <Avatar name={name} size="small" />
            <span className="truncate">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function GuestVote({ pass, night, state }: { pass: GuestPass; night: NightAsGuest; state: NightVoteState }) {
  const { t } = useTranslation('watchlist')
  const veto = useGuestVeto(pass)
  const { vote } = state
  const cast = castIn(useGuestBallot(pass), vote)
  const vetoesLeft = t('night.join.vetoesLeft', { count: state.vetoesLeft })
  const isOpen = night.state === 'open'
  const step = useStepAnnouncement({ state })
  const [callAs] = useState(() => callWithPass(pass.token))
  const present = night.present.map(({ username }) => username)
  const where = (cardId: string) => (
    <NightWhere nightId={pass.nightId} cardId={cardId} present={present} callAs={callAs} />
  )
  const content = () => {
    if (vote?.closedAt === null) {
      if (!isOpen) return null
      return (
        <VoteFrame vote={vote}>
          <GuestBallot
            key={vote.drawNumber}
            pass={pass}
            state={state}
            vote={vote}
            cast={cast}
            vetoesLeft={vetoesLeft}
          />
        </VoteFrame>
      )
    }
    const { result, watched, isGathering } = latestOutcome(state)
    return (
      <>
        <VoteResult vote={result} lateError={cast.error}>
          {isOpen && (
            <DecideSection
              state={state}
              present={night.present.length + night.guests.length}
              isHere
              where={where}
              veto={veto}
              vetoesLeft={vetoesLeft}
            />
          )}
          {isOpen && watched && <Accepted film={watched} where={where} />}
        </VoteResult>
        {isOpen && !result && isGathering && <p className="text-muted">{t('night.join.waiting')}</p>}
      </>
    )
  }
  return (
    <div ref={step} tabIndex={-1} className="flex flex-col gap-6 focus:outline-none empty:hidden">
      {content()}
    </div>
  )
}

type GuestBallotProps = {
  pass: GuestPass
  state: NightVoteState
  vote: NightVote
  cast: ReturnType<typeof castIn>
  vetoesLeft: string
}

function GuestBallot({ pass, ...ballot }: GuestBallotProps) {
  const draft = useDraft(ballotDraftPlace(pass.nightId, ballot.vote.drawNumber), pass.guestId)
  return <BallotForm {...ballot} draft={draft} />
}

type ClaimProps = Pick<GuestNightProps, 'pass' | 'username' | 'onSaved' | 'onMember'>

/** A guest who signs up or in keeps what they did. */
function Claim({ pass, username, onSaved, onMember }: ClaimProps) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  const claim = useClaim(pass)
  const saved = useRef<HTMLParagraphElement>(null)
  if (pass.savedTo !== undefined) {
    return (
      <p ref={saved} tabIndex={-1} className="focus:outline-none">
        {t('night.claim.saved', { user: pass.savedTo })}
      </p>
    )
  }
  const back = to.joinNight(pass.code)
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3 border-t border-line pt-4">
      <h2 id={titleId} className="text-xl">
        {t('night.claim.title')}
      </h2>
      {username === undefined ? (
        <>
          <p className="text-sm text-muted">{t('night.claim.hint')}</p>
          <div className="flex flex-wrap gap-3">
            {features().registration === 'open' && (
              <Link to={to.signup(back)} className={buttonStyle('quiet')}>
                {t('night.claim.signUp')}
              </Link>
            )}
            <Link to={to.login(back)} className={buttonStyle('quiet')}>
              {t('night.claim.signIn')}
            </Link>
          </div>
        </>
      ) : (
        <>
          <p className="text-sm text-muted">{t('night.claim.hintUser', { user: username })}</p>
          <CallFailureBanner what={t('night.stepFailed')} error={claim.error} />
          <Button
            tone="quiet"
            className="self-start"
            busy={claim.isPending}
            onClick={() =>
              claim.mutate(undefined, {
                onSuccess: ({ isMember, watchlistId }) => {
                  if (isMember) return onMember(watchlistId)
                  onSaved(username)
                  return focusSoon(saved)
                },
              })
            }
          >
            {t('night.claim.submit')}
          </Button>
        </>
      )}
    </section>
  )
}

function Leave({ pass, onLeft }: { pass: GuestPass; onLeft: () => void }) {
  const { t } = useTranslation('watchlist')
  const leave = useLeaveAsGuest(pass)
  return (
    <AskFirst
      tone="quiet"
      icon={<DoorOpen aria-hidden />}
      className="self-start"
      label={t('night.open.leave')}
      title={t('night.join.leave')}
      description={t('night.join.leaveWhy')}
      confirmLabel={t('night.open.leave')}
      cancelLabel={t('night.join.stay')}
      action={leave}
      failure={whyFailed(t('night.stepFailed'))}
      onConfirm={() => leave.mutate(undefined, { onSuccess: onLeft })}
    />
  )
}
