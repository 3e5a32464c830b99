import type { Statistics } from '@marquee/contract/entities/statistics'
import { useId } from 'react'

import { listText, useRuntimeText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { MoviePoster } from '#web/ui/movie-poster.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** The page has sentences about fewer than these: a chart of them would be one bar. */
const ENOUGH = { movies: 6, nights: 3, picks: 6 }

/** What of the statistics is enough for charts. */
export function chartsOf({ watched, nights, fairness }: Statistics) {
  const picks = fairness.reduce((sum, { actual }) => sum + actual, 0)
  return {
    movies: watched.movies >= ENOUGH.movies,
    nights: nights.held >= ENOUGH.nights,
    picks: picks >= ENOUGH.picks,
  }
}

/** The sentences about what is not enough for a chart. */
function useStory(): (statistics: Statistics) => string[] {
  const { t } = useTranslation('watchlist')
  const runtimeText = useRuntimeText()
  const people = (counts: readonly (readonly [name: string, count: number])[]) =>
    listText(counts.map(([user, number]) => t('statistics.told.person', { user, number })))

  const ofMovies = ({ watched, suggesters, putBack, declined }: Statistics) => {
    const { movies, runtimeMinutes, moviesWithoutRuntime } = watched
    const length = runtimeText(runtimeMinutes)
    const without = t('statistics.withoutRuntime', { count: moviesWithoutRuntime })
    return [
      movies > 0 && t('statistics.told.watched', { count: movies }),
      runtimeMinutes > 0 &&
        (moviesWithoutRuntime > 0
          ? t('statistics.told.lengthWithout', { length, without })
          : t('statistics.told.length', { length })),
      suggesters.length > 0 &&
        t('statistics.told.suggesters', { people: people(suggesters.map((one) => [one.username, one.movies])) }),
      putBack > 0 && t('statistics.told.putBack', { count: putBack }),
      declined > 0 && t('statistics.told.declined', { count: declined }),
    ]
  }
  const ofNights = ({ nights: { held, vetoed, attendance } }: Statistics) => [
    attendance.length > 0 &&
      t('statistics.told.nights', {
        count: held,
        people: people(attendance.map(({ username, nights }) => [username, nights])),
      }),
    vetoed > 0 && t('statistics.told.vetoed', { count: vetoed }),
  ]
  const ofPicks = ({ fairness }: Statistics) => {
    const picked = fairness.filter(({ actual }) => actual > 0)
    return [
      picked.length > 0 &&
        t('statistics.told.picked', { people: people(picked.map(({ username, actual }) => [username, actual])) }),
    ]
  }
  return (statistics) => {
    const charts = chartsOf(statistics)
    return [
      ...(charts.movies ? [] : ofMovies(statistics)),
      ...(charts.nights ? [] : ofNights(statistics)),
      ...(charts.picks ? [] : ofPicks(statistics)),
    ].filter((sentence) => sentence !== false)
  }
}

/** What there is to say of a club that has not watched much yet, with the posters of its movies. */
export function Story({ statistics }: { statistics: Statistics }) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  const sentences = useStory()(statistics)
  if (sentences.length === 0) return null
  const posters = chartsOf(statistics).movies ? [] : statistics.lastMovies
  return (
    <Panel aria-labelledby={titleId} className="flex flex-col gap-4">
      <h2 id={titleId} className="text-xl">
        {t('statistics.story')}
      </h2>
      {posters.length > 0 && (
        <ul aria-label={t('statistics.movies')} className="grid grid-cols-[repeat(auto-fill,minmax(5rem,7rem))] gap-3">
          {posters.map((movie) => (
            <li key={movie.id} className="flex flex-col gap-1 text-sm">
              <MoviePoster card={movie} className="w-full" />
              <span className="line-clamp-2">
                <bdi>{movie.title}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex max-w-prose flex-col gap-1">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </Panel>
  )
}
