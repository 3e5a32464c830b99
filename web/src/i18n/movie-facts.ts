import type { Movie } from '@marquee/contract/entities/movie'

import { useTranslation } from './texts.ts'
import { language, locale } from './language.ts'

/** Created when first needed, because each takes milliseconds. */
let list: Intl.ListFormat | undefined
let twoDigits: Intl.NumberFormat | undefined

/** Names in one line, with the comma of the language. */
export function listText(names: readonly string[]): string {
  list ??= new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
  return list.format(names)
}

/** Catalogues give some genres in lower case. */
export function capitalized(name: string): string {
  const [first = '', ...rest] = name
  return first.toLocaleUpperCase(language) + rest.join('')
}

/** A length such as "1 h 57". */
export function useRuntimeText(): (minutes: number) => string {
  const { t } = useTranslation('watchlist')
  return (runtime) => {
    const hours = Math.floor(runtime / 60)
    const minutes = runtime % 60
    if (hours === 0) return t('facts.minutes', { minutes })
    if (minutes === 0) return t('facts.hours', { hours })
    twoDigits ??= new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 })
    return t('facts.hoursAndMinutes', { hours, minutes: twoDigits.format(minutes) })
  }
}

type Facts = Partial<Pick<Movie, 'year' | 'runtimeMinutes' | 'genres' | 'directors'>>

/** Year, length, genres and directors in one line, as far as they are given. */
export function useFactsText(): (facts: Facts) => string {
  const runtimeText = useRuntimeText()
  return ({ year = null, runtimeMinutes = null, genres = [], directors = [] }) =>
    [
      year === null ? '' : String(year),
      runtimeMinutes === null ? '' : runtimeText(runtimeMinutes),
      listText(genres.map(capitalized)),
      listText(directors),
    ]
      .filter((fact) => fact !== '')
      .join(' · ')
}
