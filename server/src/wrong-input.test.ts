import { expect, test } from 'vitest'

import { type Endpoint, ENDPOINTS, MAX_BODY_BYTES } from '@marquee/contract/endpoints'
import { MAX_PAGE_SIZE } from '@marquee/contract/limits'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, type Caller, type CallInput } from './testing/call.ts'
import { aScene, BODIES, type CallName } from './testing/scene.ts'
import { anObservedApp } from './testing/observed-app.ts'

const calls = (Object.keys(ENDPOINTS) as CallName[]).map((name): [CallName, Endpoint] => [name, ENDPOINTS[name]])

/** Fields that hold a number. */
const NUMBERS = new Set(['days', 'maxUses', 'picks', 'maxRuntimeMinutes', 'drawNumber', 'vetoBudget', 'forMs'])

/** Fields that hold an object. */
const OBJECTS = new Set(['movie', 'watchlist', 'scores', 'groups', 'quietHours'])

/** Fields that hold a list, which may be empty. */
const LISTS = new Set(['cards', 'services'])

const LONG = 'x'.repeat(60_000)
const NUL = 'a\u0000b'
/** Values that are invalid for every other field of every body. */
const WRONG: [what: string, value: unknown][] = [
  ['a number', 7],
  ['a list', []],
  ['an object with a length that is not a number', { length: { toString: 1, valueOf: 1 } }],
  ['a null character', NUL],
  ['sixty kilobytes of text', LONG],
]

const bodyRows = calls.flatMap(([name, { body }]) =>
  Object.keys(body?.shape ?? {}).flatMap((field) =>
    // Unknown fields of objects are ignored.
    WRONG.filter(([, value]) => !OBJECTS.has(field) || typeof value !== 'object' || Array.isArray(value))
      .filter(([, value]) => !LISTS.has(field) || !Array.isArray(value))
      .filter(([, value]) => !NUMBERS.has(field) || typeof value !== 'number')
      .map(([what, value]): [CallName, string, string, unknown] => [name, field, what, value]),
  ),
)
const missingRows = calls
  .filter(([, { body }]) => body !== undefined)
  .flatMap(([name]) =>
    [undefined, '', 'null', '[]', '{"', '7'].map((body): [CallName, string | undefined] => [name, body]),
  )
const IMAGE = 'https://example.org/a.jpg'
/** What else can be wrong in a body, and how the message begins. */
const WRONG_BODIES: [what: string, name: CallName, body: unknown, says: string][] = [
  ['text in place of an object', 'addCard', '"Alien"', 'body: '],
  ['no title', 'addCard', { image: IMAGE }, 'title: '],
  ['two mistakes', 'addCard', { title: 7, image: 7 }, 'title: '],
  ['a title of 2 MB', 'addCard', { title: 'x'.repeat(2_000_000), image: IMAGE }, 'title: '],
  ['no image', 'addCard', { title: 'Alien' }, 'image: '],
  ['text for a flag', 'addCard', { title: 'Alien', image: IMAGE, revealImmediately: 'yes' }, 'revealImmediately: '],
  ['an unknown status', 'moveCard', { status: 'LOST' }, 'status: '],
  ['a status that is not a move', 'moveCard', { status: 'REVEALED' }, 'status: '],
  ['no status', 'moveCard', {}, 'status: '],
  ['a status in a list', 'moveCard', { status: ['WATCHED'] }, 'status: '],
  ['no name', 'createWatchlist', { description: 'x' }, 'name: '],
  ['a prototype', 'createWatchlist', '{"__proto__": {"name": "x"}, "name": "x"}', 'body: '],
  ['a name of 60 kB', 'updateWatchlist', { name: 'x'.repeat(60_000) }, 'name: '],
  ['no watchlist', 'setCurrentWatchlist', {}, 'watchlistId: '],
]
const pageRows = calls
  .filter(([, { query }]) => query !== undefined && 'limit' in query.shape)
  .flatMap(([name]) =>
    [
      { limit: '0' },
      { limit: String(MAX_PAGE_SIZE + 1) },
      { limit: '-1' },
      { limit: 'ten' },
      { limit: '1.5' },
      { nextToken: 'made-up' },
      { nextToken: '' },
    ].map((query): [CallName, Record<string, string>] => [name, query]),
  )

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const { theApp, changesDuring } = anObservedApp(theDatabase)
  let scene: ReturnType<typeof aScene> | undefined
  /** All requests are rejected and change nothing, so they share one scene. */
  const theScene = async () => await (scene ??= aScene(theApp(), 'owner'))

  /** The answer to a call, and the statements by which it changed rows. */
  const observe = async (name: CallName, caller: Caller, input: CallInput) => {
    let answer: Awaited<ReturnType<typeof call>> | undefined
    const changes = await changesDuring(async () => (answer = await call(theApp(), ENDPOINTS[name], caller, input)))
    if (!answer) throw new Error('There is no answer')
    return { answer, changes }
  }

  // Evidence: asvs-2.2.1, asvs-2.2.2, asvs-15.3.5
  test.each(bodyRows)(
    '%s rejects an invalid %s (%s), names the field, and changes nothing',
    async (name, field, _what, value) => {
      const { params, given, owner, invitee } = await theScene()
      const body = { ...BODIES[name]?.(given), [field]: value }
      const caller = name === 'acceptInvitation' ? invitee : owner

      const { answer, changes } = await observe(name, caller, { params, body })

      expect([400, 404]).toContain(answer.status)
      expect(answer.body.message.length).toBeLessThan(300)
      // A long text may just be the name of no user, or the token of no link. A media server gets any password.
      const isAccepted = value === LONG || (name === 'linkWithPassword' && field === 'password' && value === NUL)
      expect(answer.body.message).toContain(isAccepted ? '' : `${field}: `)
      expect(changes).toEqual([])
    },
  )

  // Evidence: asvs-1.5.2, asvs-2.2.1
  test.each(WRONG_BODIES)(
    'a body with %s is rejected with the name of the field, and changes nothing',
    async (_what, name, body, says) => {
      const { params, owner } = await theScene()

      const { answer, changes } = await observe(name, owner, { params, body })

      expect([answer.status, answer.body.type]).toEqual([400, 'BAD_REQUEST'])
      expect(answer.body.message.slice(0, says.length)).toBe(says)
      expect(answer.body.message.length).toBeLessThan(300)
      expect(changes).toEqual([])
    },
  )

  test('a body above the limit is rejected and changes nothing', async () => {
    const { params, owner } = await theScene()

    const body = { name: 'x'.repeat(MAX_BODY_BYTES) }
    const { answer, changes } = await observe('updateWatchlist', owner, { params, body })

    expect(answer.status).toBe(413)
    expect(answer.body).toEqual({ type: 'PAYLOAD_TOO_LARGE', message: 'The request is too large' })
    expect(changes).toEqual([])
  })

  test.each(missingRows)('%s with the body %j is rejected and changes nothing', async (name, body) => {
    const { params, owner } = await theScene()

    const { answer, changes } = await observe(name, owner, { params, ...(body !== undefined && { body }) })

    expect(answer.status).toBe(400)
    expect(answer.body.type).toBe('BAD_REQUEST')
    expect(changes).toEqual([])
  })

  test.each(pageRows)('%s rejects the page %j and names the parameter', async (name, query) => {
    const { params, owner } = await theScene()

    const answer = await call(theApp(), ENDPOINTS[name], owner, { params, query })

    expect(answer.status).toBe(400)
    expect(answer.body.type).toBe('BAD_REQUEST')
    expect(answer.body.message).toMatch(/^(?:limit|nextToken): /u)
  })

  test('an accepted call is observed to update the watchlist', async () => {
    const { params, owner } = await theScene()

    const { answer, changes } = await observe('updateWatchlist', owner, { params, body: { name: 'Changed' } })

    expect(answer.status).toBe(200)
    expect(changes).toContainEqual(expect.stringMatching(/^update "watchlist"/u))
  })
})
