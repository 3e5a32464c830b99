import type { Card, CardStatus } from '@marquee/contract/entities/card'
import { useTranslation } from '#web/i18n/texts.ts'

/** A length such as "1 h 57 min". */
export function useLengthText(): (minutes: number) => string {
  const { t } = useTranslation('watchlist')
  return (minutes) => {
    const hours = Math.floor(minutes / 60)
    return hours === 0 ? t('library.minutes', { minutes }) : t('library.hours', { hours, minutes: minutes % 60 })
  }
}

/** The facts of a movie in one line: year, length, genres. Empty if nothing is known. */
export function useFactsText(): (card: Pick<Card, 'movie'>, options?: { genres: boolean }) => string {
  const lengthText = useLengthText()
  return ({ movie }, { genres } = { genres: false }) => {
    if (movie === undefined) return ''
    const { year, runtimeMinutes } = movie
    const facts = [
      year === null ? '' : String(year),
      runtimeMinutes === null ? '' : lengthText(runtimeMinutes),
      genres ? movie.genres.join(', ') : '',
    ]
    return facts.filter((fact) => fact !== '').join(' · ')
  }
}

/** The name of a status, as on the cards of the feed. */
export function useStatusText(): (status: CardStatus) => string {
  const { t } = useTranslation('watchlist')
  return (status) => t(`library.statuses.${status}`)
}
