import type { Night } from '@marquee/contract/entities/night'
import type { NightVote, NightVoteState, TonightsCard } from '@marquee/contract/entities/vote'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { DoorOpen, Settings2, Shuffle, Tv, UserCheck } from 'lucide-react'
import { useCallback, useId, useState } from 'react'
import { Link } from 'react-router'

import { CallFailureBanner, whyFailed } from '#web/api/call-failure.tsx'
import { CardFailure } from '#web/features/movies/card-failure.tsx'
import { useDecisions } from '#web/features/movies/feed/decisions.tsx'
import { UndoBar } from '#web/features/movies/feed/lazy-notices.tsx'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { AskFirst } from '#web/ui/ask-first.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Unread } from '#web/ui/unread.tsx'
import { fillDisplay } from '#web/ui/use-display.ts'

import { TvSection } from './tv-section.tsx'
import { Accepted, DecideSection, latestOutcome } from './decide-section.tsx'
import { useFilters } from './draw-filters.tsx'
import { DrawSection, useSeeds } from './draw-section.tsx'
import { GuestEntrance, GuestItems } from './guest-entrance.tsx'
import { NightServers } from './lazy-servers.tsx'
import { NightWhere } from './lazy-where.tsx'
import { NightFacts, personStyle } from './night-parts.tsx'
import { PassThePhone } from './pass-the-phone.tsx'
import { type Phone, usePhoneGuests } from './phone-guests.ts'
import { useNightStep } from './queries.ts'
import { useStepAnnouncement } from './step-announcement.ts'
import { castIn, nightVote, useCastBallot, useCastPhoneBallot, useLiveVote, useVetoCard } from './vote-queries.ts'
import { VetoBudget } from './veto-budget.tsx'
import { OpenVote, VoteResult } from './vote-section.tsx'

type OpenNightProps = { night: Night; username: string; isOwner: boolean }

/** The night that is on: its step, who is here, and what few need behind *Options*. */
export function OpenNight({ night, username, isOwner }: OpenNightProps) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  const isHere = night.present.some((person) => isSameUser(person.username, username))
  useSeeds(night, isHere)
  return (
    <Panel aria-labelledby={titleId} className="flex flex-col gap-5 border-accent!">
      <div>
        <h2 id={titleId} className="text-2xl">
          {t('night.open.title')}
        </h2>
        {night.startedAt !== null && (
          <p className="text-sm text-muted">
            <RelativeTime iso={night.startedAt}>{(moment) => t('night.open.since', { moment })}</RelativeTime>
          </p>
        )}
      </div>
      <NightStep night={night} username={username} isHere={isHere} />
      <NightOptions night={night} isHere={isHere} isOwner={isOwner} />
    </Panel>
  )
}

type NightStepProps = Pick<OpenNightProps, 'night' | 'username'> & { isHere: boolean }

/** The step of the night: gather, draw, vote, decide or watch. */
function NightStep(props: NightStepProps) {
  const { night, username, isHere } = props
  const { t } = useTranslation('watchlist')
  const query = useQuery(nightVote(night))
  const { data: state } = query
  useLiveVote(night)
  const cast = castIn(useCastBallot(night), state?.vote)
  const phoneCast = useCastPhoneBallot(night)
  const veto = useVetoCard(night)
  const decisions = useDecisions({
    watchlistId: night.watchlistId,
    username,
    getNightId: () => night.id,
    onAnswered: useReadVote(night),
  })
  // The next draw has the same filters.
  const [filters, setFilters] = useFilters(night)
  const drawing = useDrawing(state)
  const step = useStepAnnouncement({ state, isDrawing: drawing.isOn, decidedHere: decisions.decision?.card.id })
  const phone = usePhoneGuests(night.id)
  if (state === undefined) return <Unread query={query} loading={null} failed={t('night.vote.loadFailed')} />
  const draw = (isNext: boolean) => {
    if (isNext) drawing.begin()
    else drawing.end()
    focusSoon(step)
  }
  const { vote } = state
  const content = () => {
    if (vote?.closedAt === null) {
      return <VoteStep {...props} state={state} vote={vote} cast={cast} phone={phone} phoneCast={phoneCast} />
    }
    if (drawing.isOn && isHere) {
      const back = () => draw(false)
      return <DrawSection night={night} filters={filters} onFilters={setFilters} onDrawn={back} onBack={back} />
    }
    return (
      <>
        <LateGuest vote={vote} cast={phoneCast} />
        <Decisions
          night={night}
          isHere={isHere}
          state={state}
          lateError={cast.error}
          veto={veto}
          decisions={decisions}
          onDraw={() => draw(true)}
          onFocusLost={() => focusSoon(step)}
        />
      </>
    )
  }
  return (
    <div ref={step} tabIndex={-1} className="flex flex-col gap-5 focus:outline-none">
      {content()}
    </div>
  )
}

type VoteStepProps = NightStepProps & {
  state: NightVoteState
  vote: NightVote
  cast: ReturnType<typeof castIn>
  phone: Phone
  phoneCast: ReturnType<typeof useCastPhoneBallot>
}

/** The open vote of the user, and of guests who vote on this device. */
function VoteStep({ night, username, isHere, state, vote, cast, phone, phoneCast }: VoteStepProps) {
  const { drawNumber } = vote
  return (
    <>
      <OpenVote key={drawNumber} night={night} state={state} vote={vote} cast={cast} isHere={isHere}>
        <PassThePhone night={night} drawNumber={drawNumber} username={username} phone={phone} cast={phoneCast} />
      </OpenVote>
      {!isHere && <Arrive night={night} />}
      <People night={night} />
    </>
  )
}

/** Why the ballot of a guest on the passed phone was not saved. Its page went with the vote. */
function LateGuest({ vote, cast }: { vote: NightVote | null; cast: ReturnType<typeof useCastPhoneBallot> }) {
  const { t } = useTranslation('watchlist')
  const { variables, error } = cast
  if (variables === undefined || variables.body.drawNumber !== vote?.drawNumber) return null
  return <CallFailureBanner what={t('night.phone.failed', { name: variables.guest.nickname })} error={error} />
}

/** The vote and the cards that were drawn so far and are not decided. */
function drawnIn({ vote, revealed }: NightVoteState): string[] {
  return [`vote ${vote?.drawNumber}`, ...revealed.map(({ cardId, film }) => `card ${cardId} ${film?.statusChangedAt}`)]
}

/** Whether the user chooses what to draw. That is over when something is drawn, here or on another device. */
function useDrawing(state: NightVoteState | undefined) {
  const [before, setBefore] = useState<readonly string[]>()
  const isOver = before !== undefined && state !== undefined && !drawnIn(state).every((drawn) => before.includes(drawn))
  if (isOver) setBefore(undefined)
  return {
    isOn: before !== undefined && !isOver,
    begin: () => setBefore(state && drawnIn(state)),
    end: () => setBefore(undefined),
  }
}

/** Reads the vote again. */
function useReadVote({ id }: Night) {
  const client = useQueryClient()
  return useCallback(async () => client.invalidateQueries({ queryKey: nightVote({ id }).queryKey }), [client, id])
}

type DecisionsProps = Omit<NightStepProps, 'username'> & {
  state: NightVoteState
  /** Why the ballot of the user was not saved. */
  lateError: Error | null
  veto: ReturnType<typeof useVetoCard>
  decisions: ReturnType<typeof useDecisions>
  onDraw: () => void
  onFocusLost: () => void
}

/** Gather, decide or watch: what goes on while no vote is open. */
function Decisions({ lateError, onDraw, onFocusLost, ...tonight }: DecisionsProps) {
  const { night, isHere, state, decisions } = tonight
  const { t } = useTranslation('watchlist')
  const { result, watched, isGathering } = latestOutcome(state)
  const people = <People night={night} />
  return (
    <>
      <VoteResult vote={result} lateError={lateError}>
        <TonightsMovies {...tonight} watched={watched} />
        <DecisionNotice decisions={decisions} onFocusLost={onFocusLost} />
      </VoteResult>
      {isGathering && <h3 className="text-xl">{t('night.gather')}</h3>}
      {isGathering && people}
      {isGathering && <NightFacts night={night} />}
      {!isHere && <Arrive night={night} isMain={isGathering} />}
      {isHere && isGathering && (
        <Button tone="primary" size="large" icon={<Shuffle aria-hidden />} onClick={onDraw}>
          {t('night.toDraw')}
        </Button>
      )}
      {isHere && !isGathering && (
        <div className="flex flex-wrap gap-3">
          {watched && <ConfirmedStep night={night} step="end" tone="primary" label={t('night.open.end')} />}
          <Button tone="quiet" icon={<Shuffle aria-hidden />} onClick={onDraw}>
            {t('night.draw.another')}
          </Button>
        </div>
      )}
      {!isGathering && people}
    </>
  )
}

type TonightsMoviesProps = Pick<DecisionsProps, 'night' | 'isHere' | 'state' | 'veto' | 'decisions'> & {
  watched: TonightsCard | undefined
}

/** The drawn movies that are to be decided, or the accepted one that is watched now. */
function TonightsMovies({ night, isHere, state, veto, decisions, watched }: TonightsMoviesProps) {
  const { t } = useTranslation('watchlist')
  const present = night.present.map(({ username }) => username)
  const where = (cardId: string) => <NightWhere nightId={night.id} cardId={cardId} present={present} />
  return (
    <>
      <DecideSection
        state={state}
        present={night.present.length + night.guests.length}
        where={where}
        isHere={isHere}
        veto={veto}
        vetoesLeft={t('night.vote.vetoesLeft', { count: state.vetoesLeft })}
        isBusy={decisions.isSending}
        onMove={({ cardId: id, title }, status) => void decisions.decide({ id, title }, status)}
      />
      {watched && (
        <Accepted film={watched} where={where}>
          <div className="flex flex-wrap items-center gap-2 empty:hidden">
            <NightServers
              key={watched.cardId}
              watchlistId={night.watchlistId}
              nightId={night.id}
              cardId={watched.cardId}
              title={watched.title}
              present={present}
              canPlay={isHere}
            />
          </div>
        </Accepted>
      )}
    </>
  )
}

type DecisionNoticeProps = { decisions: ReturnType<typeof useDecisions>; onFocusLost: () => void }

/** Why a decision failed, or the offer to undo it. */
function DecisionNotice({ decisions, onFocusLost }: DecisionNoticeProps) {
  const { decision, failure, isUndoing, takeBack, forget } = decisions
  return (
    <>
      {failure && <CardFailure action={failure.action} error={failure.error} />}
      {decision && (
        <UndoBar
          key={decision.madeAt}
          decision={decision}
          isBusy={isUndoing}
          onUndo={() => void takeBack(decision)}
          onOver={() => forget(decision)}
          onFocusLost={onFocusLost}
        />
      )}
    </>
  )
}

/** In one line, so that nothing below moves when someone arrives. */
function People({ night }: { night: Night }) {
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex flex-col gap-2">
      <output className="font-semibold">
        {t('night.open.here', { count: night.present.length + night.guests.length })}
      </output>
      <ul
        aria-label={t('bigScreen.people')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it, too
        tabIndex={0}
        className="-m-1 flex min-h-12 items-center gap-2 overflow-x-auto rounded-control p-1 pointer-coarse:min-h-14"
      >
        {night.present.map((person) => (
          <li key={person.username} className={personStyle}>
            <PersonAvatar username={person.username} size="small" />
            <span className="truncate">{person.username}</span>
          </li>
        ))}
        <GuestItems night={night} />
      </ul>
    </div>
  )
}

/** Says that the user is here. */
function Arrive({ night, isMain = true }: { night: Night; isMain?: boolean }) {
  const { t } = useTranslation('watchlist')
  const presence = useNightStep(night)
  return (
    <>
      <CallFailureBanner what={t('night.stepFailed')} error={presence.error} />
      <Button
        tone={isMain ? 'primary' : 'quiet'}
        size={isMain ? 'large' : 'normal'}
        icon={<UserCheck aria-hidden />}
        busy={presence.isPending}
        onClick={() => presence.mutate('arrive')}
      >
        {t('night.open.arrive')}
      </Button>
    </>
  )
}

type NightOptionsProps = Pick<OpenNightProps, 'night' | 'isOwner'> & { isHere: boolean }

/** What few need on an evening: guests, televisions, the veto budget, to leave, and to end the night. */
function NightOptions({ night, isHere, isOwner }: NightOptionsProps) {
  const { t } = useTranslation('watchlist')
  const contentId = useId()
  const [isOpen, setOpen] = useState(false)
  const { data: state } = useQuery(nightVote(night))
  const presence = useNightStep(night)
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <Button
        tone="quiet"
        size="small"
        className="self-start"
        icon={<Settings2 aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={contentId}
        onClick={() => setOpen(!isOpen)}
      >
        {t('night.options')}
      </Button>
      <div id={contentId} className="flex flex-col items-start gap-4 empty:hidden">
        {isOpen && (
          <>
            <CallFailureBanner what={t('night.stepFailed')} error={presence.error} />
            <div className="flex flex-wrap items-start gap-2">
              <GuestEntrance night={night} />
              <Link
                to={to.nightScreen(night.watchlistId)}
                onClick={fillDisplay}
                className={buttonStyle('quiet', 'small')}
              >
                <Tv aria-hidden />
                {t('bigScreen.open')}
              </Link>
              {isHere && <TvSection night={night} />}
              {isHere && (
                <Button
                  tone="quiet"
                  size="small"
                  icon={<DoorOpen aria-hidden />}
                  busy={presence.isPending}
                  onClick={() => presence.mutate('leave')}
                >
                  {t('night.open.leave')}
                </Button>
              )}
            </div>
            {isOwner && state && <VetoBudget watchlistId={night.watchlistId} count={state.vetoBudget} />}
            <ConfirmedStep night={night} step="end" label={t('night.open.end')} />
          </>
        )}
      </div>
    </div>
  )
}

type ConfirmedStepProps = { night: Night; step: 'end' | 'cancel'; tone?: 'primary' | 'quiet'; label: string }

/** A button that ends or cancels a night, after a question. */
export function ConfirmedStep({ night, step, tone = 'quiet', label }: ConfirmedStepProps) {
  const { t } = useTranslation('watchlist')
  const change = useNightStep(night)
  return (
    <AskFirst
      tone={tone}
      label={label}
      title={t(`night.sure.title.${step}`)}
      description={t(`night.sure.description.${step}`)}
      confirmLabel={t(`night.sure.confirm.${step}`)}
      cancelLabel={t(`night.sure.keep.${step}`)}
      action={change}
      failure={whyFailed(t('night.stepFailed'))}
      onConfirm={(close) => change.mutate(step, { onSuccess: close })}
    />
  )
}
