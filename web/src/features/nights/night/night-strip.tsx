import '#web/i18n/night-texts.ts'
import { type Night, NIGHT_ANSWERS } from '@marquee/contract/entities/night'
import { isSameUser } from '@marquee/contract/rules/account'
import { Moon } from 'lucide-react'
import { Link } from 'react-router'

import { WaitingItems } from '#web/features/movies/waiting/lazy-waiting.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

import { JoinQuestion } from './join-question.tsx'
import { localMomentText, ownMomentText } from './night-times.ts'
import { useAnswer } from './queries.ts'

type NightStripProps = {
  night: Night
  username: string
  /** The user wants to reveal a card beside this open night. */
  asked: { reveal: () => void; night: Night } | undefined
  onAnswered: () => void
}

/** The night that is on or the next one, above the box. */
export function NightStrip({ asked, onAnswered, ...props }: NightStripProps) {
  const { night } = props
  const isAsking = night.state === 'open' && night.id === asked?.night.id
  return (
    <section className="flex flex-col gap-x-4 gap-y-3 rounded-panel sm:flex-row sm:flex-wrap sm:items-center border border-accent bg-surface p-4">
      <Moon aria-hidden className="size-5 shrink-0 text-accent max-sm:hidden" />
      <StripContent {...props} />
      {isAsking && <JoinQuestion {...props} reveal={asked.reveal} onAnswered={onAnswered} />}
    </section>
  )
}

function StripContent({ night, username }: Pick<NightStripProps, 'night' | 'username'>) {
  const { t } = useTranslation('watchlist')
  const [time, ...others] = night.times
  const people = night.present.length + night.guests.length
  if (night.state === 'open') {
    const isHere = night.present.some((person) => isSameUser(person.username, username))
    return (
      <>
        <StripText title={t('strip.on')} detail={t('strip.here', { count: people })} />
        <Link to={to.night(night.watchlistId)} className={`${buttonStyle('quiet')} self-start`}>
          {t(isHere ? 'strip.back' : 'strip.join')}
        </Link>
      </>
    )
  }
  if (time === undefined || others.length > 0) {
    return (
      <>
        <StripText title={t('strip.planned')} detail={t('strip.times', { count: night.times.length })} />
        <Link to={to.night(night.watchlistId)} className={`${buttonStyle('quiet')} self-start`}>
          {t('strip.choose')}
        </Link>
      </>
    )
  }
  return <FixedNight night={night} time={time} username={username} />
}

function StripText({ title, detail }: { title: string; detail: string }) {
  return (
    <div className="min-w-0 sm:flex-1 sm:basis-48">
      <h2 className="font-sans text-base font-semibold tracking-normal">{title}</h2>
      <p className="text-sm text-muted">{detail}</p>
    </div>
  )
}

type FixedNightProps = { night: Night; time: Night['times'][number]; username: string }

/** A night with one time: the user answers here. */
function FixedNight({ night, time, username }: FixedNightProps) {
  const { t } = useTranslation('watchlist')
  const answer = useAnswer(night, time)
  const own = time.answers.find((given) => isSameUser(given.username, username))?.answer
  const coming = time.answers.filter((given) => given.answer === 'in').length
  const moment = ownMomentText(time) ?? localMomentText(time)
  return (
    <>
      <div className="min-w-0 sm:flex-1 sm:basis-48">
        <h2 className="font-sans text-base font-semibold tracking-normal">
          <Link to={to.night(night.watchlistId)} className="hover:underline">
            {t('strip.at', { moment })}
          </Link>
        </h2>
        <p className="text-sm text-muted">{t('strip.coming', { count: coming })}</p>
      </div>
      <div className="sm:basis-64">
        <Segmented
          legend={t('strip.question', { moment })}
          isCompact
          name={`strip ${night.id}`}
          value={answer.shown ?? own}
          options={NIGHT_ANSWERS.map((value) => ({ value, label: t(`strip.answers.${value}`) }))}
          onChange={(value) => answer.mutate(value)}
        />
      </div>
      {answer.waiting !== undefined && (
        <div className="basis-full">
          <WaitingItems kind="answer" items={[answer.waiting]} />
        </div>
      )}
      {answer.isError && (
        <p role="alert" className="basis-full text-sm text-danger">
          {t('strip.failed')}
        </p>
      )}
    </>
  )
}
