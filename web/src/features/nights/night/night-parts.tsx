import type { Night } from '@marquee/contract/entities/night'
import { Clock, MapPin } from 'lucide-react'

import { timeText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'

const MINUTE_MS = 60_000

/** The item of a person who is here. */
export const personStyle = 'flex max-w-full shrink-0 items-center gap-2 rounded-full border border-line py-1 ps-1 pe-3'

/** Where guests type the code, as people read it. */
export function joinAddress(): string {
  return `${location.host}${to.joinNight('').replace(/\/$/u, '')}`
}

/** Place, longest runtime and note of a night. */
export function NightFacts({ night: { place, note, maxRuntimeMinutes } }: { night: Night }) {
  const { t } = useTranslation('watchlist')
  if (place === null && note === null && maxRuntimeMinutes === null) return null
  return (
    <div className="flex flex-col gap-1.5 [&_svg]:mt-1 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted">
      {place !== null && (
        <p className="flex items-start gap-2">
          <MapPin aria-hidden />
          <Place text={place} />
        </p>
      )}
      {maxRuntimeMinutes !== null && (
        <p className="flex items-start gap-2">
          <Clock aria-hidden />
          {t('night.runtime', { minutes: maxRuntimeMinutes })}
        </p>
      )}
      {note !== null && (
        <p className="wrap-anywhere whitespace-pre-line text-muted">
          <bdi>{note}</bdi>
        </p>
      )}
    </div>
  )
}

export function Place({ text }: { text: string }) {
  if (!/^https?:\/\/\S+$/u.test(text)) return <bdi className="wrap-anywhere">{text}</bdi>
  return (
    <a href={text} target="_blank" rel="noreferrer" className="wrap-anywhere underline">
      {text}
    </a>
  )
}

/** When a movie is over that starts as soon as it is accepted. Nothing for one of unknown length. */
export function EndOfMovie({ acceptedAt, minutes }: { acceptedAt: string; minutes: number | null | undefined }) {
  const { t } = useTranslation('watchlist')
  if (typeof minutes !== 'number') return null
  const end = new Date(Date.parse(acceptedAt) + minutes * MINUTE_MS)
  return <p>{t('night.endsAt', { time: timeText(end) })}</p>
}

/** The title in the browser's tab, with the watchlist of the night once it is known. */
export function NightTitle({ watchlistName }: { watchlistName?: string | undefined }) {
  const { t } = useTranslation('watchlist')
  const page = watchlistName === undefined ? t('night.title') : `${t('night.title')} · ${watchlistName}`
  return <title>{t('common:pageTitle', { page })}</title>
}
