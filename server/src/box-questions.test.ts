import { expect, test, vi } from 'vitest'

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { type Endpoint, ENDPOINTS } from '@marquee/contract/endpoints'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, type Caller, type CallInput, callOk } from './testing/call.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { anApp } from './testing/start-app.ts'

type Ask = (
  endpoint: Endpoint,
  input?: CallInput,
) => Promise<{ status: number; body: { id?: string; count?: number; state?: string } }>

const POSTER = 'https://example.org/poster.jpg'

const begin = async (ask: Ask, title: string) => {
  const fileData = Buffer.from(`${title} (1999)`).toString('base64')
  const { status, body } = await ask(ENDPOINTS.beginImport, { body: { fileName: 'films.txt', fileData } })
  return { status, importId: body.id ?? 'none' }
}

const apply = async (ask: Ask, title: string) => {
  const { importId } = await begin(ask, title)
  await ask(ENDPOINTS.applyImport, { params: { importId } })
  const read = async () => await ask(ENDPOINTS.getImport, { params: { importId } })
  await vi.waitUntil(async () => (await read()).body.state !== 'applying', { timeout: 30_000, interval: 10 })
  return { importId, applied: await read() }
}

const add = async (ask: Ask, title: string, more: object = {}, headers: Record<string, string> = {}) =>
  await ask(ENDPOINTS.addCard, { body: { title, image: POSTER, ...more }, headers })

/** Every way to ask the server about a movie by its title. */
const QUESTIONS: Readonly<Record<string, (ask: Ask, title: string) => Promise<unknown>>> = {
  'look it up': async (ask, title) => await ask(ENDPOINTS.matchMovie, { query: { title, year: 1999 } }),
  'want it': async (ask, title) => await ask(ENDPOINTS.wantMovie, { body: { title } }),
  'search the library for it': async (ask, title) => await ask(ENDPOINTS.listLibrary, { query: { q: title } }),
  'add it': async (ask, title) => await add(ask, title),
  'add it to the feed': async (ask, title) => await add(ask, title, { revealImmediately: true }),
  'add it twice with one key': async (ask, title) => {
    const key = { 'idempotency-key': systemRandom.uuid() }
    return [await add(ask, title, {}, key), await add(ask, title, {}, key)]
  },
  'give its title to another card': async (ask, title) => {
    const { body } = await add(ask, 'Another')
    return await ask(ENDPOINTS.editCard, { params: { cardId: body.id ?? 'none' }, body: { title } })
  },
  'review an import of it': async (ask, title) => {
    const { status, importId } = await begin(ask, title)
    return [status, await ask(ENDPOINTS.getImport, { params: { importId } })]
  },
  'import it': async (ask, title) => (await apply(ask, title)).applied,
  'import it, and count the box': async (ask, title) => {
    const before = await ask(ENDPOINTS.countSuggestedCards)
    await apply(ask, title)
    const after = await ask(ENDPOINTS.countSuggestedCards)
    return [after.status, (after.body.count ?? 0) - (before.body.count ?? 0)]
  },
  'import it, and list own wants': async (ask, title) => {
    await apply(ask, title)
    return await ask(ENDPOINTS.listWants)
  },
  'import it, and undo that': async (ask, title) => {
    const { importId } = await apply(ask, title)
    await ask(ENDPOINTS.undoImport, { params: { importId } })
    const read = async () => await ask(ENDPOINTS.getImport, { params: { importId } })
    await vi.waitUntil(async () => (await read()).body.state !== 'undoing', { timeout: 30_000, interval: 10 })
    return await read()
  },
}

/** The questions whose answer tells that the movie is in the box. No answer tells more. */
const TELLS = {
  member: ['look it up', 'want it', 'import it, and count the box', 'import it, and list own wants'],
  'former member': [],
  stranger: [],
  guest: [],
} as const satisfies Record<string, readonly (keyof typeof QUESTIONS)[]>

/** An answer without what differs between any two calls. */
function plain(answer: unknown, title: string): string {
  return JSON.stringify(answer)
    .replaceAll(title, 'TITLE')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'TIME')
    .replaceAll(/"selectionIndex":\d+/gu, '"selectionIndex":SLOT')
}

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { allowGuests: true })
  const [owner, filler, member, former] = [aUser('ana'), aUser('ben'), aUser('cleo'), aUser('dora')]
  const observers: Record<keyof typeof TELLS, Caller | undefined> = {
    member,
    'former member': former,
    stranger: aUser('eve'),
    guest: undefined,
  }

  /** A watchlist with a card of Ben in the box that Ana wants, too. */
  async function scene(title: string): Promise<Watchlist> {
    const { watchlist } = await aWatchlist(theApp(), { owner, members: [filler, member, former] })
    const params = { watchlistId: watchlist.id }
    await callOk(theApp(), ENDPOINTS.removeMember, owner, { params: { ...params, username: former.username } })
    const body = { title: `${title}!`, description: 'As Ben says', image: `${POSTER}?by=ben`, movie: { year: 1999 } }
    await callOk(theApp(), ENDPOINTS.addCard, filler, { params, body })
    await callOk(theApp(), ENDPOINTS.wantMovie, owner, { params, body: { title } })
    return watchlist
  }

  const askAs =
    (caller: Caller | undefined, { id: watchlistId }: Watchlist): Ask =>
    async (endpoint, { params, ...input } = {}) => {
      const { status, body } = await call(theApp(), endpoint, caller, { params: { watchlistId, ...params }, ...input })
      return { status, body: body as object }
    }

  test.each(Object.keys(TELLS) as (keyof typeof TELLS)[])(
    'only listed calls show a %s that a movie is in the box, and none shows whose card it is',
    async (who) => {
      const telling: string[] = []
      const leaks: string[] = []
      for (const [name, question] of Object.entries(QUESTIONS)) {
        const ask = askAs(observers[who], await scene('Playtime'))
        const nowhere = plain(await question(ask, 'Brazil'), 'Brazil')
        const inBox = plain(await question(ask, 'Playtime'), 'Playtime')
        if (inBox !== nowhere) telling.push(name)
        if (/ben|TITLE!|wantedBy/iu.test(inBox)) leaks.push(name)
      }

      expect(telling).toEqual(TELLS[who])
      expect(leaks).toEqual([])
    },
  )
})
