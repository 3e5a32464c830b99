import type { MovieInStatistics, Statistics } from '@marquee/contract/entities/statistics'

import { monthText } from '#web/i18n/dates.ts'
import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'

/** One picture of a year: what the screen shows, and what is saved. */
export type YearPicture = {
  readonly key: string
  readonly heading: string
  /** In large letters. */
  readonly figure: string
  readonly lines: readonly string[]
  readonly movies: readonly MovieInStatistics[]
}

/** The pictures of a year. Those without anything to show are left out. */
export function useYearPictures(): (name: string, year: number, statistics: Statistics) => YearPicture[] {
  const { t } = useTranslation('watchlist')
  return (name, year, { watched, months, suggesters, mostLoved, longestWaits, firstMovie, lastMovie, lastMovies }) => {
    if (watched.movies === 0) return []
    const [busiest] = months.toSorted((one, other) => other.movies - one.movies)
    const hours = Math.round(watched.runtimeMinutes / 60)
    const ends = firstMovie && lastMovie && firstMovie.id !== lastMovie.id ? [firstMovie, lastMovie] : []
    const all: (YearPicture | undefined)[] = [
      { key: 'cover', heading: name, figure: t('year.title', { year }), lines: [], movies: lastMovies },
      {
        key: 'numbers',
        heading: t('year.numbers'),
        figure: t('year.movies', { count: watched.movies }),
        lines: [
          ...(hours > 0 ? [t('year.hours', { count: hours })] : []),
          ...(busiest && months.length > 1 ? [t('year.busiest', { month: monthText(busiest.month, 'long') })] : []),
        ],
        movies: lastMovies.slice(-3),
      },
      ends.length === 0
        ? undefined
        : {
            key: 'ends',
            heading: t('year.firstAndLast'),
            figure: '',
            lines: ends.map(({ title }) => title),
            movies: ends,
          },
      ...mostLoved.slice(0, 1).map(({ movie, average }) => ({
        key: 'loved',
        heading: t('year.loved'),
        figure: movie.title,
        lines: [
          t('year.stars', { stars: numberText(average), count: average }),
          t('year.suggestedBy', { user: movie.creatorId }),
        ],
        movies: [movie],
      })),
      ...longestWaits.slice(0, 1).map(({ movie, days }) => ({
        key: 'wait',
        heading: t('year.wait'),
        figure: t('year.days', { count: days }),
        lines: [movie.title, t('year.suggestedBy', { user: movie.creatorId })],
        movies: [movie],
      })),
      ...suggesters.slice(0, 1).map(({ username, movies }) => ({
        key: 'suggester',
        heading: t('year.suggester'),
        figure: username,
        lines: [t('year.suggesterMovies', { count: movies })],
        movies: lastMovies.filter(({ creatorId }) => creatorId === username).slice(-6),
      })),
    ]
    return all.filter((picture) => picture !== undefined)
  }
}

/** How many posters are side by side. */
export function columnsOf({ movies }: YearPicture): number {
  return movies.length <= 3 ? Math.max(1, movies.length) : Math.min(6, Math.ceil(Math.sqrt(movies.length * 1.5)))
}
