import { type Night, NIGHT_ANSWERS, type NightTime } from '@marquee/contract/entities/night'
import { isSameUser } from '@marquee/contract/rules/account'
import { Play } from 'lucide-react'
import { useId } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { listText } from '#web/i18n/movie-facts.ts'
import { WaitingItems } from '#web/features/movies/waiting/lazy-waiting.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

import { NightFacts } from './night-parts.tsx'
import { localMomentText, ownMomentText } from './night-times.ts'
import { ConfirmedStep } from './open-night.tsx'
import { useAnswer, useFixTime, useNightStep } from './queries.ts'

type PlannedNightProps = {
  night: Night
  username: string
  /** No other night is open. */
  canStart: boolean
  onChange: () => void
}

/** A planned night: its time, or the proposed ones, with everyone's answers. */
export function PlannedNight({ night, username, canStart, onChange }: PlannedNightProps) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  const start = useNightStep(night)
  const [first, ...others] = night.times
  if (first === undefined) return null
  const isFixed = others.length === 0
  return (
    <Panel aria-labelledby={titleId} className="flex flex-col gap-4">
      <div>
        <h2 id={titleId} className="text-2xl">
          {isFixed ? localMomentText(first) : t('night.choose')}
        </h2>
        {isFixed && <ZoneText night={night} time={first} />}
        <p className="text-sm text-muted">{t('night.by', { name: night.createdBy })}</p>
      </div>
      <NightFacts night={night} />
      <ul className="flex flex-col gap-4">
        {night.times.map((time) => (
          <TimeAnswers key={time.startsAt} night={night} time={time} username={username} isFixed={isFixed} />
        ))}
      </ul>
      <CallFailureBanner what={t('night.stepFailed')} error={start.error} />
      <div className="flex flex-wrap gap-3">
        {canStart && (
          <Button
            tone={isFixed ? 'primary' : 'quiet'}
            icon={<Play aria-hidden />}
            busy={start.isPending}
            onClick={() => start.mutate('start')}
          >
            {t('night.start')}
          </Button>
        )}
        <Button tone="quiet" onClick={onChange}>
          {t('night.change')}
        </Button>
        <ConfirmedStep night={night} step="cancel" label={t('night.cancelNight')} />
      </div>
    </Panel>
  )
}

function ZoneText({ night, time }: { night: Night; time: NightTime }) {
  const { t } = useTranslation('watchlist')
  const zone = night.timeZone ?? 'UTC'
  const moment = ownMomentText(time)
  return (
    <p className="text-sm text-muted">
      {moment === undefined ? t('night.zone', { zone }) : t('night.forYou', { zone, moment })}
    </p>
  )
}

const NO_ONE = '–'

type TimeAnswersProps = { night: Night; time: NightTime; username: string; isFixed: boolean }

function TimeAnswers({ night, time, username, isFixed }: TimeAnswersProps) {
  const { t } = useTranslation('watchlist')
  const answer = useAnswer(night, time)
  const fix = useFixTime(night)
  const moment = localMomentText(time)
  const own = time.answers.find((given) => isSameUser(given.username, username))?.answer
  return (
    <li className="flex flex-col gap-2 not-first:border-t not-first:border-line not-first:pt-4">
      {!isFixed && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <div>
            <h3 className="text-lg">{moment}</h3>
            <ZoneText night={night} time={time} />
          </div>
          <Button
            tone="quiet"
            size="small"
            aria-label={t('night.fixLabel', { moment })}
            busy={fix.isPending}
            onClick={() => fix.mutate(time.startsAt)}
          >
            {t('night.fix')}
          </Button>
        </div>
      )}
      <Segmented
        legend={t('night.answer', { moment })}
        isCompact
        name={`${night.id} ${time.startsAt}`}
        value={answer.shown ?? own}
        options={NIGHT_ANSWERS.map((value) => ({ value, label: t(`night.answers.${value}`) }))}
        onChange={(value) => answer.mutate(value)}
      />
      {answer.waiting !== undefined && <WaitingItems kind="answer" items={[answer.waiting]} />}
      <CallFailureBanner what={t('night.stepFailed')} error={answer.error ?? fix.error} />
      <AnswerList time={time} />
    </li>
  )
}

function AnswerList({ time }: { time: NightTime }) {
  const { t } = useTranslation('watchlist')
  const given = NIGHT_ANSWERS.map((answer) => ({
    answer,
    names: time.answers.filter((one) => one.answer === answer).map(({ username }) => username),
  }))
  // Each answer has its line from the start, so that no button below moves when one arrives.
  return (
    <ul className="text-sm wrap-anywhere text-muted">
      {given.map(({ answer, names }) => (
        <li key={answer}>{t(`night.given.${answer}`, { names: names.length === 0 ? NO_ONE : listText(names) })}</li>
      ))}
    </ul>
  )
}
