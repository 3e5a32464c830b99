import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'

import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { ALIEN, NO_FACTS } from '#web/testing/samples.ts'

import { MovieFacts } from './movie-facts.tsx'

tidyUp()

test('the facts are one line of year, length, genres and directors', async () => {
  await renderPart(<MovieFacts title="Alien" movie={ALIEN} />)

  expect(screen.getByText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')).toBeTruthy()
})

test.each([
  [{ runtimeMinutes: 45 }, '45 min'],
  [{ runtimeMinutes: 120 }, '2 h'],
  [{ runtimeMinutes: 125 }, '2 h 05'],
  [{ year: 1999, directors: ['Lana Wachowski', 'Lilly Wachowski'] }, '1999 · Lana Wachowski, Lilly Wachowski'],
])('the facts %o are shown as "%s"', async (facts, text) => {
  await renderPart(<MovieFacts title="A film" movie={{ ...NO_FACTS, ...facts }} />)

  expect(screen.getByText(text)).toBeTruthy()
})

test('each external id is a link to the movie’s page there', async () => {
  await renderPart(<MovieFacts title="Alien" movie={ALIEN} />)

  const links = within(screen.getByRole('list', { name: 'Alien on other services' })).getAllByRole<HTMLAnchorElement>(
    'link',
  )
  expect(links.map(({ textContent, href, rel }) => [textContent, href, rel])).toEqual([
    ['TMDB', 'https://www.themoviedb.org/movie/348', 'noopener noreferrer'],
    ['IMDb', 'https://www.imdb.com/title/tt0078748/', 'noopener noreferrer'],
    ['Letterboxd', 'https://letterboxd.com/film/alien/', 'noopener noreferrer'],
    ['Wikidata', 'https://www.wikidata.org/wiki/Q103569', 'noopener noreferrer'],
  ])
})
