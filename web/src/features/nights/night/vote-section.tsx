import type { Night } from '@marquee/contract/entities/night'
import type { NightVote, NightVoteState } from '@marquee/contract/entities/vote'
import { MIN_COUNTED_BALLOTS } from '@marquee/contract/limits'
import { type ReactNode, useId } from 'react'

import { CallFailureBanner, whyFailed } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { NeedsConnection } from '#web/offline/needs-connection.tsx'
import { useDraft } from '#web/session/drafts.ts'
import { AskFirst } from '#web/ui/ask-first.tsx'

import { ballotDraftPlace, BallotForm } from './ballot-form.tsx'
import { useResultText } from './step-announcement.ts'
import { type castIn, useCloseVote } from './vote-queries.ts'

type OpenVoteProps = {
  night: Night
  state: NightVoteState
  vote: NightVote
  cast: ReturnType<typeof castIn>
  isHere: boolean
  children: ReactNode
}

/** The vote on a shortlist: a form for those who are here, and how many have voted. */
export function OpenVote({ night, state, vote, cast, isHere, children }: OpenVoteProps) {
  const { t } = useTranslation('watchlist')
  const draft = useDraft(ballotDraftPlace(night.id, vote.drawNumber))
  return (
    <VoteFrame vote={vote}>
      {isHere ? (
        <BallotForm
          state={state}
          vote={vote}
          cast={cast}
          vetoesLeft={t('night.vote.vetoesLeft', { count: state.vetoesLeft })}
          draft={draft}
        />
      ) : (
        <p className="text-muted">{t('night.vote.arriveFirst')}</p>
      )}
      {children}
      <CloseVote night={night} drawNumber={vote.drawNumber} />
    </VoteFrame>
  )
}

/** An open vote: how many have voted, and what the viewer can do. */
export function VoteFrame({ vote, children }: { vote: NightVote; children: ReactNode }) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <div>
        <h3 id={titleId} className="text-xl">
          {t('night.vote.title')}
        </h3>
        <output className="text-sm text-muted">
          {t('night.vote.voted', { count: vote.voted, present: vote.present })}
        </output>
        <NeedsConnection text={t('night.vote.needsConnection')} />
      </div>
      {children}
    </section>
  )
}

function CloseVote({ night, drawNumber }: { night: Night; drawNumber: number }) {
  const { t } = useTranslation('watchlist')
  const close = useCloseVote(night)
  return (
    <AskFirst
      tone="quiet"
      className="self-start"
      label={t('night.vote.close')}
      title={t('night.vote.sure')}
      description={t('night.vote.sureWhy')}
      confirmLabel={t('night.vote.close')}
      cancelLabel={t('night.vote.keep')}
      action={close}
      failure={whyFailed(t('night.stepFailed'))}
      onConfirm={(done) => close.mutate(drawNumber, { onSuccess: done })}
    />
  )
}

type VoteResultProps = {
  /** Undefined when the result is no news. */
  vote: NightVote | undefined
  /** Why the ballot of the viewer was not saved. */
  lateError?: Error | null
  children?: ReactNode
}

/** The winner of a closed vote, and the totals if there are any. `children` show the winner while it is in the feed. */
export function VoteResult({ vote, lateError = null, children }: VoteResultProps) {
  const { t } = useTranslation('watchlist')
  const resultOf = useResultText()
  const titleId = useId()
  if (vote === undefined) return <>{children}</>
  const winner = vote.cards.find(({ cardId }) => cardId === vote.winner)
  const hasTotals = vote.cards.some(({ total }) => total !== null)
  const others = vote.cards.filter((card) => card !== winner).toSorted((a, b) => (b.total ?? 0) - (a.total ?? 0))
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <CallFailureBanner what={t('night.vote.failed')} error={lateError} />
      <h3 id={titleId} className="text-2xl wrap-anywhere">
        {resultOf(vote)}
      </h3>
      {children}
      <div className="flex flex-col gap-1 text-sm wrap-anywhere text-muted">
        <ol className="flex flex-col gap-1">
          {[...(winner && hasTotals ? [winner] : []), ...others].map(({ cardId, title, total, isVetoed }) => (
            <li key={cardId}>
              {title ?? t('night.vote.hidden')}
              {total !== null && ` · ${t('night.vote.points', { count: total })}`}
              {isVetoed === true && ` · ${t('night.vote.vetoed')}`}
            </li>
          ))}
        </ol>
        <p>{t('night.vote.counted', { count: vote.voted, present: vote.present })}</p>
        {!hasTotals && vote.voted > 0 && (
          <p>{t(vote.voted < MIN_COUNTED_BALLOTS ? 'night.vote.onlyWinner' : 'night.vote.noTotals')}</p>
        )}
      </div>
    </section>
  )
}
