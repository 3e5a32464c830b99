import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'
import { testToken } from '../../../testing/test-accounts.ts'

const ALIEN = {
  year: 1979,
  runtimeMinutes: 117,
  genres: ['Horror', 'Science fiction'],
  directors: ['Ridley Scott'],
  originalTitle: 'Alien',
  language: 'en',
  source: 'tmdb',
  ids: { tmdb: '348', imdb: 'tt0078748', letterboxd: 'alien' },
}
const ALIENS_POSTER = 'https://example.org/alien.jpg'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  let seconds = 0
  const now = () => new Date(Date.UTC(2026, 2, 1, 20, 0, seconds))
  const theApp = anApp(theDatabase, { clock: { now } })

  const download = async (watchlistId: string, format: string, by: Caller) =>
    await theApp().app.inject({
      url: `/api/watchlists/${watchlistId}/export?format=${format}`,
      headers: { authorization: `Bearer ${testToken(by)}` },
    })
  const add = async (watchlistId: string, by: Caller, body: object) =>
    await callOk(theApp(), ENDPOINTS.addCard, by, {
      params: { watchlistId },
      body: { title: 'Alien', image: ALIENS_POSTER, revealImmediately: true, ...body },
    })
  const comment = async (card: { id: string; watchlistId: string }, by: Caller, content: string) => {
    seconds += 1
    const params = { watchlistId: card.watchlistId, cardId: card.id }
    return await callOk(theApp(), ENDPOINTS.addComment, by, { params, body: { content } })
  }
  const accept = async (card: { id: string; watchlistId: string }, by: Caller) =>
    await callOk(theApp(), ENDPOINTS.moveCard, by, {
      params: { watchlistId: card.watchlistId, cardId: card.id },
      body: { status: 'WATCHED' },
    })

  test('the JSON file holds the watchlist, its cards with history and all comments', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const at = now().toISOString()
    const card = await add(watchlist.id, ben, { description: 'In space', movie: ALIEN })
    for (const content of ['One', 'Two', 'Three', 'Four']) await comment(card, owner, content)

    const params = { watchlistId: watchlist.id }
    const { members } = await callOk(theApp(), ENDPOINTS.getWatchlist, owner, { params })
    const joinedAt = members?.[1]?.joinedAt
    const after = (later: number) => new Date(Date.parse(at) + later * 1000).toISOString()
    const exported = await callOk(theApp(), ENDPOINTS.exportWatchlist, owner, { params })

    expect(exported).toEqual({
      format: 'marquee-watchlist',
      version: 1,
      watchlist: {
        name: 'Friday films',
        description: null,
        isPrivate: false,
        ownerId: 'ana',
        createdAt: watchlist.createdAt,
        members: watchlist.members?.concat({ username: 'ben', joinedAt: joinedAt ?? '' }),
      },
      cards: [
        {
          title: 'Alien',
          description: 'In space',
          imageUrl: ALIENS_POSTER,
          movie: ALIEN,
          status: 'REVEALED',
          creatorId: 'ben',
          createdAt: at,
          updatedAt: at,
          statusChanges: [
            { status: 'SUGGESTED', changedBy: 'ben', changedAt: at },
            { status: 'REVEALED', changedBy: 'ben', changedAt: at },
          ],
          comments: [
            { content: 'Four', authorId: 'ana', createdAt: after(4), updatedAt: after(4) },
            { content: 'Three', authorId: 'ana', createdAt: after(3), updatedAt: after(3) },
            { content: 'Two', authorId: 'ana', createdAt: after(2), updatedAt: after(2) },
            { content: 'One', authorId: 'ana', createdAt: after(1), updatedAt: after(1) },
          ],
        },
      ],
    })
    expect(await callOk(theApp(), ENDPOINTS.exportWatchlist, owner, { params })).toEqual(exported)
  })

  test.each(['json', 'csv', 'letterboxd'])('a %s file has no card of another member in the box', async (format) => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    await aCard(theApp(), { inside: watchlist, by: owner, title: 'Of the owner' })
    await aCard(theApp(), { inside: watchlist, by: ben, title: 'Of Ben' })
    await aCard(theApp(), { inside: watchlist, by: ben, status: 'WATCHED', title: 'For all' })

    const { body } = await download(watchlist.id, format, owner)

    expect(['Of the owner', 'Of Ben', 'For all'].filter((title) => body.includes(title))).toEqual(
      format === 'letterboxd' ? ['For all'] : ['Of the owner', 'For all'],
    )
  })

  // Evidence: asvs-1.1.2
  test('the CSV file quotes what RFC 4180 demands and disarms formulas', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const at = now().toISOString()
    await add(watchlist.id, owner, { description: 'A "classic",\nthey say', movie: ALIEN })
    await add(watchlist.id, owner, { title: '=HYPERLINK("https://example.org")' })
    await add(watchlist.id, owner, { title: '-30-', description: '@home', image: 'https://example.org/a,b.jpg' })
    await add(watchlist.id, owner, { title: 'A;=1+2;b', description: 'One;\n＝1+2; two' })

    const { body, headers } = await download(watchlist.id, 'csv', owner)

    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(body.split('\r\n')).toEqual([
      '\uFEFFTitle,Original title,Year,Directors,Genres,Runtime (minutes),Status,Suggested by,Wanted by,Added,Status changed,' +
        'Description,Poster,TMDB,IMDb,Wikidata,Letterboxd',
      `Alien,Alien,1979,Ridley Scott,"Horror, Science fiction",117,REVEALED,ana,,${at},${at},` +
        `"A ""classic"",\nthey say",https://example.org/alien.jpg,348,tt0078748,,alien`,
      `"'=HYPERLINK(""https://example.org"")",,,,,,REVEALED,ana,,${at},${at},,https://example.org/alien.jpg,,,,`,
      `'-30-,,,,,,REVEALED,ana,,${at},${at},'@home,"https://example.org/a,b.jpg",,,,`,
      `A;'=1+2;b,,,,,,REVEALED,ana,,${at},${at},"One;\n'＝1+2; two",https://example.org/alien.jpg,,,,`,
      '',
    ])
  })

  test('the Letterboxd file holds the accepted movies, with what the caller wrote after watching', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const watched = await add(watchlist.id, owner, { movie: ALIEN })
    await add(watchlist.id, owner, { title: 'Only revealed' })
    await comment(watched, owner, 'Tonight?')
    seconds += 1
    await accept(watched, ben)
    await comment(watched, owner, 'In space, no one can hear you.')
    await comment(watched, ben, 'Of another member')
    await comment(watched, owner, 'Again!')
    await accept(await add(watchlist.id, owner, { title: 'Without facts' }), owner)

    const { body } = await download(watchlist.id, 'letterboxd', owner)

    expect(body.split('\r\n')).toEqual([
      'LetterboxdURI,tmdbID,imdbID,Title,Year,Directors,WatchedDate,Review',
      `https://letterboxd.com/film/alien/,348,tt0078748,Alien,1979,Ridley Scott,2026-03-01,` +
        '"In space, no one can hear you.\n\nAgain!"',
      `,,,Without facts,,,2026-03-01,`,
      '',
    ])
  })

  test('an export of 101 cards has each card once, in the order in which they were added', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const titles = Array.from({ length: 101 }, (_, n) => `Film ${n}`)
    for (const title of titles) await add(watchlist.id, owner, { title })

    const { cards } = await callOk(theApp(), ENDPOINTS.exportWatchlist, owner, {
      params: { watchlistId: watchlist.id },
    })

    expect(cards.map(({ title }) => title)).toEqual(titles)
  })

  // Evidence: asvs-1.2.1, asvs-3.2.1, asvs-5.4.1, asvs-5.4.2
  test('a downloaded file is named after its watchlist, and no name can add a header', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const params = { watchlistId: watchlist.id }
    const nameOf = async (name: string) => {
      await callOk(theApp(), ENDPOINTS.updateWatchlist, owner, { params, body: { name } })
      return (await download(watchlist.id, 'json', owner)).headers['content-disposition']
    }

    expect(await nameOf('Friday films')).toBe('attachment; filename="Friday films.json"')
    expect(await nameOf('"\r\nx-evil: 1')).not.toMatch(/[\r\n]/u)
    expect(await nameOf('映画')).toBe(`attachment; filename="??.json"; filename*=UTF-8''%E6%98%A0%E7%94%BB.json`)
  })

  test('an unknown export format is rejected', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())

    expect((await download(watchlist.id, 'xlsx', owner)).statusCode).toBe(400)
  })
})
