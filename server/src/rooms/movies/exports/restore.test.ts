import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { WatchlistExport } from '@marquee/contract/entities/export'
import { MAX_WATCHLIST_NAME_LENGTH } from '@marquee/contract/limits'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aPng } from '../../../testing/images.ts'
import { aUser } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'

const at = (minute: number) => `2025-03-01T20:${String(minute).padStart(2, '0')}:00.000Z`

const ALIEN = {
  title: 'Alien',
  description: 'In space',
  imageUrl: 'https://example.org/alien.jpg',
  movie: {
    year: 1979,
    runtimeMinutes: 117,
    genres: ['Horror'],
    directors: ['Ridley Scott'],
    originalTitle: 'Alien',
    language: 'en',
    source: 'tmdb',
    ids: { tmdb: '348', imdb: 'tt0078748' },
  },
  status: 'WATCHED',
  creatorId: 'ben',
  createdAt: at(1),
  updatedAt: at(9),
  statusChanges: [
    { status: 'SUGGESTED', changedBy: 'ben', changedAt: at(1) },
    { status: 'REVEALED', changedBy: 'ana', changedAt: at(2) },
    { status: 'WATCHED', changedBy: 'cleo', changedAt: at(3) },
  ],
  wantedBy: ['ben', 'zed', 'ana', 'cleo'],
  comments: [
    { content: 'Four', authorId: 'ana', createdAt: at(7), updatedAt: at(7) },
    { content: 'Three', authorId: 'ben', createdAt: at(6), updatedAt: at(8) },
    { content: 'Two', authorId: 'cleo', createdAt: at(5), updatedAt: at(5) },
    { content: 'One', authorId: 'ben', createdAt: at(4), updatedAt: at(4) },
  ],
} satisfies WatchlistExport['cards'][number]

const IN_BOX = {
  title: 'Stalker',
  description: null,
  imageUrl: 'https://example.org/stalker.jpg',
  status: 'SUGGESTED',
  creatorId: 'ana',
  createdAt: at(10),
  updatedAt: at(10),
  statusChanges: [{ status: 'SUGGESTED', changedBy: 'ana', changedAt: at(10) }],
  comments: [],
} satisfies WatchlistExport['cards'][number]

const LATER = '9999-12-31T23:59:59.999Z'
const MANY = Array.from({ length: 1_000 }, (_, n) => `user ${n}`)

const FILE = {
  format: 'marquee-watchlist',
  version: 1,
  watchlist: {
    name: 'Friday films',
    description: 'With popcorn',
    isPrivate: true,
    ownerId: 'ana',
    createdAt: at(0),
    members: [{ username: 'ana', joinedAt: at(0) }],
  },
  cards: [ALIEN, IN_BOX, { ...IN_BOX, title: 'Ran', createdAt: at(11), updatedAt: at(12) }],
} satisfies WatchlistExport

const withCard = (change: object) => ({ ...FILE, cards: [ALIEN, { ...ALIEN, ...change }] })

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)
  const restore = async (by: Caller, body: object) => await callOk(theApp(), ENDPOINTS.restoreWatchlist, by, { body })
  const exportOf = async (by: Caller, watchlistId: string) =>
    await callOk(theApp(), ENDPOINTS.exportWatchlist, by, { params: { watchlistId } })

  test('a restored watchlist exports the same file, even if its other members have no account here', async () => {
    const ana = aUser()

    const { id } = await restore(ana, FILE)

    expect(await exportOf(ana, id)).toEqual(FILE)
    await callOk(theApp(), ENDPOINTS.deleteWatchlist, ana, { params: { watchlistId: id } })
    const copy = await restore(ana, FILE)
    expect(await exportOf(ana, copy.id)).toEqual(FILE)
  })

  test('a restored watchlist gets a number if the user already has one of the same name', async () => {
    const ana = aUser()
    const long = `x${'🎬'.repeat(MAX_WATCHLIST_NAME_LENGTH - 1)}`
    const cut = `x${'🎬'.repeat(MAX_WATCHLIST_NAME_LENGTH - 5)} (2)`
    const restoreAs = async (name: string) =>
      (await restore(ana, { ...FILE, watchlist: { ...FILE.watchlist, name } })).name

    const names = [await restoreAs('Friday'), await restoreAs('Friday'), await restoreAs('Friday')]

    expect(names).toEqual(['Friday', 'Friday (2)', 'Friday (3)'])
    expect([await restoreAs(long), await restoreAs(long)]).toEqual([long, cut])
  })

  test('a restored watchlist keeps its image only if this server has it', async () => {
    const ana = aUser()
    const { id: watchlistId } = await restore(ana, FILE)
    const body = { imageData: await aPng() }
    const { fullImageUrl } = await callOk(theApp(), ENDPOINTS.uploadWatchlistImage, ana, {
      params: { watchlistId },
      body,
    })
    const file = await exportOf(ana, watchlistId)
    await callOk(theApp(), ENDPOINTS.deleteWatchlist, ana, { params: { watchlistId } })
    const withImage = (imageUrl: string) => ({ ...file, watchlist: { ...file.watchlist, imageUrl } })

    expect(await restore(ana, file)).toMatchObject({ hasImage: true, fullImageUrl })
    for (const address of [`${String(fullImageUrl)}x`, 'https://example.org/list.png', 'nothing']) {
      expect(await restore(ana, withImage(address))).toMatchObject({ hasImage: false, fullImageUrl: null })
    }
  })

  test(
    'the restoring user is the owner and only member, and finds the cards in the box as suggestions',
    { tags: ['race'] },
    async () => {
      const zoe = aUser('zoe')
      const members = [...FILE.watchlist.members, { username: 'ben', joinedAt: at(1) }]

      const restored = await restore(zoe, { ...FILE, watchlist: { ...FILE.watchlist, members } })

      const params = { watchlistId: restored.id }
      expect(restored).toMatchObject({ name: 'Friday films', isPrivate: true, ownerId: 'zoe', createdAt: at(0) })
      expect(restored.members?.map(({ username }) => username)).toEqual(['zoe'])
      const { cards } = await callOk(theApp(), ENDPOINTS.listSuggestions, zoe, { params })
      expect(cards.map(({ title, creatorId }) => [title, creatorId])).toEqual([
        ['Ran', 'zoe'],
        ['Stalker', 'zoe'],
      ])
      expect(await callOk(theApp(), ENDPOINTS.countSuggestedCards, zoe, { params })).toEqual({ count: 2 })
      const revealed = [1, 2].map(async () => await callOk(theApp(), ENDPOINTS.revealRandomCard, zoe, { params }))
      expect((await Promise.all(revealed)).map(({ title }) => title).toSorted()).toEqual(['Ran', 'Stalker'])
    },
  )

  test('names of other users in a file are marked, and give users of the same name no rights', async () => {
    const ana = aUser()
    const ben = aUser('ben')
    const { id: watchlistId } = await restore(ana, { ...FILE, watchlist: { ...FILE.watchlist, isPrivate: false } })
    const params = { watchlistId }

    const [card] = (await callOk(theApp(), ENDPOINTS.listCards, ana, { params })).cards
    const inCard = { ...params, cardId: card?.id ?? '' }
    const { comments } = await callOk(theApp(), ENDPOINTS.listComments, ana, { params: inCard })

    expect(card?.creatorId).toBe('ben\u00A0(restored)')
    expect(card?.statusChanges.map(({ changedBy }) => changedBy)).toEqual([
      'ben\u00A0(restored)',
      'ana',
      'cleo\u00A0(restored)',
    ])
    expect(card?.wantedBy).toEqual(['ben\u00A0(restored)', 'zed\u00A0(restored)', 'ana', 'cleo\u00A0(restored)'])
    expect(comments.map(({ authorId }) => authorId)).toEqual([
      'ana',
      'ben\u00A0(restored)',
      'cleo\u00A0(restored)',
      'ben\u00A0(restored)',
    ])
    expect(await callOk(theApp(), ENDPOINTS.listWatchlists, ben)).toEqual([])
    const edit = async (by: Caller, index: number) =>
      await call(theApp(), ENDPOINTS.editComment, by, {
        params: { ...inCard, commentId: comments[index]?.commentId ?? '' },
        body: { content: 'Changed' },
      })
    expect((await edit(ana, 0)).status).toBe(200)
    expect((await edit(ana, 1)).status).toBe(403)
    expect((await edit(ben, 1)).status).toBe(403)
    const remove = async (by: Caller) => await call(theApp(), ENDPOINTS.deleteCard, by, { params: inCard })
    expect((await remove(ben)).status).toBe(403)
    expect((await remove(ana)).status).toBe(204)
  })

  test('a card is restored without a poster if its picture is missing or its address is invalid', async () => {
    const ana = aUser()
    const addresses = [
      'http://marquee.test/images/a-640.webp',
      'https://old.example/images/no-poster.svg',
      'javascript:x',
    ]
    const cards = addresses.map((imageUrl) => ({ ...ALIEN, imageUrl }))

    const { id } = await restore(ana, { ...FILE, cards })

    expect((await exportOf(ana, id)).cards.map(({ imageUrl }) => imageUrl)).toEqual([
      'http://marquee.test/images/no-poster.svg',
      'http://marquee.test/images/no-poster.svg',
      'http://marquee.test/images/no-poster.svg',
    ])
  })

  test('a file from a server whose clock is some hours ahead is restored', async () => {
    const ana = aUser()
    const createdAt = new Date(Date.now() + 23 * 60 * 60_000).toISOString()

    const { id } = await restore(ana, { ...FILE, cards: [{ ...IN_BOX, createdAt }] })

    expect((await exportOf(ana, id)).cards).toEqual([{ ...IN_BOX, createdAt }])
  })

  test('a file with 10,000 cards is restored in order, and one with 10,001 is rejected', async () => {
    const ana = aUser()
    const cards = Array.from({ length: 10_000 }, (_, n) => ({ ...IN_BOX, title: `Film ${n}` }))

    const { id } = await restore(ana, { ...FILE, cards })

    expect((await exportOf(ana, id)).cards).toEqual(cards)
    const tooMany = { ...FILE, cards: [...cards, ALIEN] }
    const { body } = await call(theApp(), ENDPOINTS.restoreWatchlist, ana, { body: tooMany })
    expect(body).toEqual({ type: 'BAD_REQUEST', message: 'cards: There are more than 10000' })
  })

  // Evidence: asvs-2.2.3
  test.each([
    ['another format', { ...FILE, format: 'csv' }, 'format: '],
    ['a later version', { ...FILE, version: 2 }, 'version: '],
    ['no cards', { ...FILE, cards: undefined }, 'cards: '],
    [
      'a name of 121 characters',
      { ...FILE, watchlist: { ...FILE.watchlist, name: 'x'.repeat(121) } },
      'watchlist.name: ',
    ],
    ['a card without a title', withCard({ title: ' ' }), 'cards.1.title: Movie title is required'],
    ['a card of another status than its history', withCard({ status: 'REVEALED' }), 'cards.1.statusChanges: A history'],
    ['a card without a history', withCard({ statusChanges: [] }), 'cards.1.statusChanges: A history'],
    ['a history that does not begin in the box', withCard({ statusChanges: ALIEN.statusChanges.slice(2) }), 'cards.1.'],
    ['an invalid time', withCard({ createdAt: 'yesterday' }), 'cards.1.createdAt: '],
    [
      'a time before 1970',
      withCard({ createdAt: '1969-12-31T23:59:59.999Z' }),
      'cards.1.createdAt: There are no times',
    ],
    [
      'a status change in the future',
      withCard({
        statusChanges: [...ALIEN.statusChanges.slice(0, 2), { ...ALIEN.statusChanges[2], changedAt: LATER }],
      }),
      'cards.1.statusChanges.2.changedAt: This is in the future',
    ],
    [
      'a comment in the future',
      withCard({ comments: [{ ...ALIEN.comments[0], updatedAt: LATER }] }),
      'cards.1.comments.0.updatedAt: This is in the future',
    ],
    [
      'a member who joins in the future',
      { ...FILE, watchlist: { ...FILE.watchlist, members: [{ username: 'ana', joinedAt: LATER }] } },
      'watchlist.members.0.joinedAt: This is in the future',
    ],
    [
      'a comment without an author',
      withCard({ comments: [{ ...ALIEN.comments[0], authorId: '' }] }),
      'cards.1.comments.0.',
    ],
    ['a year in the future', withCard({ movie: { year: 9999 } }), 'cards.1.movie.year: '],
    ['a null character', withCard({ wantedBy: ['ben', 'a\0b'] }), 'cards.1.wantedBy.1: '],
    [
      'a card that 1,001 users want',
      withCard({ wantedBy: Array.from({ length: 1_001 }, (_, n) => `user ${n}`) }),
      'cards.1.wantedBy: There are more than 1000',
    ],
    [
      'a card with 1,001 status changes',
      withCard({ statusChanges: Array.from({ length: 1_001 }, () => ALIEN.statusChanges[0]) }),
      'cards.1.statusChanges: There are more than 1000',
    ],
    [
      '100,001 names of users who want a card',
      { ...FILE, cards: [...Array.from({ length: 100 }, () => ({ ...ALIEN, wantedBy: MANY })), ALIEN] },
      'cards: There are more than 100000 names in wantedBy',
    ],
    ['an object in place of a list', withCard({ comments: { length: 1 } }), 'cards.1.comments: '],
  ])('a file with %s is refused at its first fault, and creates nothing', async (_what, body, says) => {
    const ana = aUser()

    const answer = await call(theApp(), ENDPOINTS.restoreWatchlist, ana, { body })

    expect(answer.status).toBe(400)
    expect(answer.body.message.slice(0, says.length)).toBe(says)
    expect(await callOk(theApp(), ENDPOINTS.listWatchlists, ana)).toEqual([])
  })
})
