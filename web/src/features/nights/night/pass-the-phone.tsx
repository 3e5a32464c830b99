import type { Night } from '@marquee/contract/entities/night'
import type { NightVote, NightVoteState } from '@marquee/contract/entities/vote'
import { MAX_NICKNAME_LENGTH } from '@marquee/contract/limits'
import { useQueries } from '@tanstack/react-query'
import { Smartphone, UserPlus } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { BallotForm } from './ballot-form.tsx'
import { type Phone, type PhoneGuest, useAddPhoneGuest } from './phone-guests.ts'
import { phoneVote, type useCastPhoneBallot } from './vote-queries.ts'

type PassThePhoneProps = {
  night: Night
  drawNumber: number
  /** Whose device it is. */
  username: string
  phone: Phone
  cast: ReturnType<typeof useCastPhoneBallot>
}

/** People without a phone vote on this one, each in turn. */
export function PassThePhone(props: PassThePhoneProps) {
  const { t } = useTranslation('watchlist')
  const { drawNumber, phone } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button tone="quiet" className="self-start" icon={<Smartphone aria-hidden />} onClick={() => setOpen(true)}>
        {t('night.phone.pass')}
      </Button>
      {/* A reload in the hands of a guest must not show the ballot of the user. */}
      {(isOpen || phone.passedIn === drawNumber) && (
        <Round
          {...props}
          onEnd={() => {
            phone.keep(() => ({ passedIn: null }))
            setOpen(false)
          }}
        />
      )}
    </>
  )
}

/** Asks all who have not voted. */
function Round({ night, drawNumber, username, phone, cast, onEnd }: PassThePhoneProps & { onEnd: () => void }) {
  const { people, waiting, failure } = useRound(night, drawNumber, phone)
  const isLoading = people.some(({ state }) => state === undefined)
  if (phone.passedIn !== drawNumber) {
    return (
      <PeoplePage
        night={night}
        phone={phone}
        people={people}
        failure={failure}
        onStart={isLoading || waiting.length === 0 ? undefined : () => phone.keep(() => ({ passedIn: drawNumber }))}
        onEnd={onEnd}
      />
    )
  }
  return (
    <Turns username={username} cast={cast} next={waiting[0]} isLoading={isLoading} failure={failure} onEnd={onEnd} />
  )
}

/** The people of this device with their votes, and those who have not voted yet. */
function useRound(night: Night, drawNumber: number, phone: Phone) {
  const { t } = useTranslation('watchlist')
  const guests = night.guests.flatMap(({ guestId, nickname }) => {
    const kept = phone.guests.find((guest) => guest.guestId === guestId)
    return kept === undefined ? [] : [{ ...kept, nickname }]
  })
  const votes = useQueries({ queries: guests.map((guest) => phoneVote(night, guest)) })
  const people = guests.map((guest, n) => ({ guest, state: votes[n]?.data }))
  const waiting = people.flatMap(({ guest, state }) =>
    state?.vote?.drawNumber === drawNumber && state.vote.closedAt === null && state.vote.ballot === null
      ? [{ guest, state, vote: state.vote }]
      : [],
  )
  const failure = votes.some(({ isError, data }) => isError && data === undefined) && (
    <RetryBanner
      query={{
        refetch: () => votes.forEach(({ refetch }) => void refetch()),
        isFetching: votes.some(({ isFetching }) => isFetching),
      }}
    >
      {t('night.vote.loadFailed')}
    </RetryBanner>
  )
  return { people, waiting, failure }
}

type TurnsProps = Pick<PassThePhoneProps, 'username' | 'cast'> & {
  /** Whose turn it is; undefined when all have voted. */
  next: { guest: PhoneGuest & { nickname: string }; state: NightVoteState; vote: NightVote } | undefined
  isLoading: boolean
  failure: ReactNode
  onEnd: () => void
}

/**
 * Hands the device to the next one, shows the ballot, and at last hands the device back. A page of its own for each step keeps
 * nothing of the one before.
 */
function Turns({ username, cast, next, isLoading, failure, onEnd }: TurnsProps) {
  const { t } = useTranslation('watchlist')
  const [turn, setTurn] = useState<string>()
  const [isStopped, setStopped] = useState(false)
  const stop = (
    <Button tone="quiet" onClick={() => setStopped(true)}>
      {t('night.phone.stop')}
    </Button>
  )
  // Who votes goes on while a guest who was just added is read.
  const isVoting = next !== undefined && next.guest.guestId === turn
  if (isLoading && !isVoting && !isStopped) {
    return (
      <Dialog key="loading" isOpen isFull title={t('night.phone.pass')} onClose={() => setStopped(true)} actions={stop}>
        {failure || <Spinner label={t('night.loading')} />}
      </Dialog>
    )
  }
  if (isStopped || next === undefined) {
    return (
      <HandOver
        key="back"
        title={t('night.phone.back', { name: username })}
        name={username}
        onTaken={onEnd}
        // Only its user goes on from here.
        onClose={() => {}}
      />
    )
  }
  const { guest, state, vote } = next
  if (turn !== guest.guestId) {
    return (
      <HandOver
        key={`to ${guest.guestId}`}
        title={t('night.phone.give', { name: guest.nickname })}
        name={guest.nickname}
        onTaken={() => setTurn(guest.guestId)}
        onClose={() => setStopped(true)}
        stop={stop}
      />
    )
  }
  return (
    <Dialog
      key={`of ${guest.guestId}`}
      isOpen
      isFull
      title={t('night.vote.title')}
      description={guest.nickname}
      onClose={() => setStopped(true)}
      actions={stop}
    >
      <GuestBallot guest={guest} state={state} vote={vote} cast={cast} />
    </Dialog>
  )
}

type PeoplePageProps = {
  night: Night
  phone: Phone
  people: { guest: PhoneGuest & { nickname: string }; state: NightVoteState | undefined }[]
  failure: ReactNode
  /** Undefined while there is no one to ask. */
  onStart: (() => void) | undefined
  onEnd: () => void
}

/** Who votes on this device. */
function PeoplePage({ night, phone, people, failure, onStart, onEnd }: PeoplePageProps) {
  const { t } = useTranslation('watchlist')
  return (
    <Dialog
      isOpen
      isFull
      title={t('night.phone.pass')}
      description={t('night.phone.hint')}
      onClose={onEnd}
      actions={
        <>
          <Button tone="quiet" onClick={onEnd}>
            {t('night.phone.stop')}
          </Button>
          <Button tone="primary" disabled={onStart === undefined} onClick={onStart}>
            {t('night.phone.start')}
          </Button>
        </>
      }
    >
      <div className="mt-4 flex flex-col gap-4">
        <AddGuest night={night} phone={phone} />
        {people.length > 0 && (
          <ul className="flex flex-col gap-1 wrap-anywhere">
            {people.map(({ guest: { guestId, nickname }, state }) => (
              <li key={guestId}>
                {(state?.vote?.ballot ?? null) === null ? nickname : t('night.phone.voted', { name: nickname })}
              </li>
            ))}
          </ul>
        )}
        {failure}
      </div>
    </Dialog>
  )
}

type HandOverProps = {
  title: string
  name: string
  onTaken: () => void
  onClose: () => void
  /** The button that ends the round, if it can be ended. */
  stop?: ReactNode
}

/** A page without anything of a ballot, while the device changes hands. */
function HandOver({ title, name, onTaken, onClose, stop }: HandOverProps) {
  const { t } = useTranslation('watchlist')
  return (
    <Dialog isOpen isFull title={title} onClose={onClose} actions={stop}>
      <Button tone="primary" size="large" className="mt-6 w-full wrap-anywhere" onClick={onTaken}>
        {t('night.phone.mine', { name })}
      </Button>
    </Dialog>
  )
}

type GuestBallotProps = NonNullable<TurnsProps['next']> & Pick<TurnsProps, 'cast'>

function GuestBallot({ guest, state, vote, cast }: GuestBallotProps) {
  const { t } = useTranslation('watchlist')
  const isOfGuest = cast.variables?.guest.guestId === guest.guestId
  return (
    <div className="mt-4">
      <BallotForm
        state={state}
        vote={vote}
        cast={{
          mutate: (body) => cast.mutate({ guest, body }),
          error: isOfGuest ? cast.error : null,
          isPending: isOfGuest && cast.isPending,
        }}
        vetoesLeft={t('night.join.vetoesLeft', { count: state.vetoesLeft })}
      />
    </div>
  )
}

function AddGuest({ night, phone }: { night: Night; phone: Phone }) {
  const { t } = useTranslation('watchlist')
  const [nickname, setNickname] = useState('')
  const add = useAddPhoneGuest(night, phone)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate(nickname, { onSuccess: () => setNickname('') })
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      <TextField
        label={t('night.phone.name')}
        name="nickname"
        value={nickname}
        maxLength={MAX_NICKNAME_LENGTH}
        required
        autoComplete="off"
        onChange={(event) => setNickname(event.target.value)}
      />
      <CallFailureBanner what={t('night.phone.addFailed')} error={add.error} />
      <Button tone="quiet" type="submit" className="self-start" icon={<UserPlus aria-hidden />} busy={add.isPending}>
        {t('night.phone.add')}
      </Button>
    </form>
  )
}
