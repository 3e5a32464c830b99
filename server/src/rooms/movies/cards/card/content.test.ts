import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { type CardContent, type ContentField, contentOf } from '@marquee/contract/entities/card-content'
import { WatchlistExport } from '@marquee/contract/entities/export'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'

/** A value of each field that members write. A new field does not compile without one. */
const WRITTEN: Required<CardContent> = {
  title: 'Blade Runner',
  description: 'It rains.',
  movie: {
    year: 1982,
    runtimeMinutes: 117,
    genres: ['Science fiction'],
    directors: ['Ridley Scott'],
    originalTitle: 'Blade Runner',
    language: 'en',
    source: 'tmdb',
    ids: { tmdb: '78', imdb: 'tt0083658' },
  },
}

/** What a program sends that knows only the fields of the first version. */
const OLD_PROGRAM = { title: 'Blade Runner', description: 'It rains.' } satisfies Partial<Record<ContentField, unknown>>

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  test('every field of a card is stored, shown, exported and restored', async () => {
    const ana = aUser()
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const params = { watchlistId: watchlist.id }
    const card = await callOk(theApp(), ENDPOINTS.addCard, ana, {
      params,
      body: { ...WRITTEN, image: 'https://example.org/rain.jpg', revealImmediately: true },
    })
    const [shown] = (await callOk(theApp(), ENDPOINTS.listCards, ana, { params })).cards
    const file = WatchlistExport.parse(await callOk(theApp(), ENDPOINTS.exportWatchlist, ana, { params }))
    const restored = await callOk(theApp(), ENDPOINTS.restoreWatchlist, ana, { body: file })
    const again = await callOk(theApp(), ENDPOINTS.listCards, ana, { params: { watchlistId: restored.id } })

    expect([card, shown, file.cards[0], again.cards[0]].map((one) => one && contentOf(one))).toEqual([
      WRITTEN,
      WRITTEN,
      WRITTEN,
      WRITTEN,
    ])
  })

  test('an edit by a program keeps the fields that the program does not know', async () => {
    const ana = aUser()
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const params = { watchlistId: watchlist.id }
    const { id: cardId } = await callOk(theApp(), ENDPOINTS.addCard, ana, {
      params,
      body: { ...WRITTEN, image: 'https://example.org/rain.jpg', revealImmediately: true },
    })
    const edited = await callOk(theApp(), ENDPOINTS.editCard, ana, {
      params: { ...params, cardId },
      body: { ...OLD_PROGRAM, title: 'Blade Runner: The Final Cut' },
    })

    expect(contentOf(edited)).toEqual({ ...WRITTEN, title: 'Blade Runner: The Final Cut' })
  })
})
