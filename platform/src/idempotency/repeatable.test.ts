import { randomUUID } from 'node:crypto'

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { keyText } from '../database/columns.ts'
import { type AnyDb, withTables } from '../database/database.ts'
import type { Migrations } from '../database/migrate.ts'
import { createHttp } from '../http/kernel.ts'
import { routesOn } from '../http/mount.ts'
import { HttpProblem } from '../http/problem.ts'
import type { Clock } from '../runtime/clock.ts'
import { createLogger } from '../runtime/logger.ts'
import { systemRandom } from '../runtime/random.ts'
import { eachDatabase } from '../testing/each-database.ts'
import { idempotencyMigrations } from './migrations/index.ts'
import { KEPT_MS, repeatable, type RepeatPorts } from './repeatable.ts'
import { sweepReplies } from './sweep.ts'

type NoteTables = { note: { id: string; text: string } }

const notes: Migrations = {
  '0001_notes': {
    up: async (db) => {
      await db.schema
        .createTable('note')
        .addColumn('id', keyText(db), (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

const addNote = {
  method: 'POST',
  path: '/shelves/:shelf/notes',
  auth: 'required',
  status: 201,
  params: z.object({ shelf: z.string() }),
  body: z.object({ text: z.string().trim(), ink: z.string().nullish() }),
  reply: z.object({ id: z.string(), text: z.string() }),
} as const
const addShelf = { ...addNote, path: '/shelves', params: z.object({}) } as const

eachDatabase<NoteTables>({ idempotency: idempotencyMigrations, notes }, (theDatabase) => {
  let app: FastifyInstance
  let now = new Date('2026-11-20T18:00:00.000Z')
  const clock: Clock = { now: () => now }
  const removed = new Set<string>()
  const logger = createLogger('silent')

  beforeAll(async () => {
    const ports: RepeatPorts = { database: theDatabase().withTables<unknown>(), clock, random: systemRandom }
    app = createHttp({ logger, bodyLimit: 100_000, problemFor: (status) => ({ type: `E${status}`, message: 'no' }) })
    const route = routesOn(app, {
      authenticate: async (request) => await Promise.resolve({ userId: String(request.headers['x-user']) }),
      admit: async () => {
        await Promise.resolve()
      },
    })
    const write = async ({ database }: RepeatPorts, text: string) =>
      await database.transaction(async (trx) => {
        const note = { id: randomUUID(), text }
        await withTables<NoteTables>(trx).insertInto('note').values(note).execute()
        if (text === 'refused') throw new HttpProblem({ status: 403, type: 'E403', message: 'refused' })
        return note
      })
    const handlers = {
      authorize: async (_db: AnyDb, { user }: { user: { userId: string } }) => {
        if (await Promise.resolve(removed.has(user.userId))) {
          throw new HttpProblem({ status: 403, type: 'E403', message: 'removed' })
        }
      },
      handle: async (use: RepeatPorts, { body }: { body: { text: string } }) => await write(use, body.text),
    }
    route(addNote, repeatable(ports, { ...handlers, uncompared: ['ink'] }))
    route(addShelf, repeatable(ports, handlers))
    await app.ready()
  })
  afterAll(async () => {
    await app.close()
  })

  const post = async (
    key: string | undefined,
    {
      user = 'ana',
      url = '/shelves/1/notes',
      text = 'hello',
      ink,
    }: { user?: string; url?: string; text?: string; ink?: string | null | undefined } = {},
  ) => {
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { 'x-user': user, ...(key !== undefined && { 'idempotency-key': key }) },
      payload: { text, ink },
    })
    return {
      status: answer.statusCode,
      replayed: answer.headers['idempotency-replayed'],
      body: answer.json<{ id: string }>(),
    }
  }
  const countNotes = async () => (await theDatabase().read.selectFrom('note').select('id').execute()).length
  const aKey = () => `key-${randomUUID()}`

  test('a repeated request gets the first reply and creates nothing', async () => {
    const key = aKey()
    const before = await countNotes()

    const [first, again] = [await post(key), await post(key)]

    expect(first).toMatchObject({ status: 201, replayed: undefined })
    expect(again).toEqual({ status: 201, replayed: 'true', body: first.body })
    expect(await countNotes()).toBe(before + 1)
  })

  test('a caller who lost access is rejected and does not get the stored reply', async () => {
    const key = aKey()
    await post(key, { user: 'cem' })
    removed.add('cem')

    const again = await post(key, { user: 'cem' })

    expect(again).toEqual({ status: 403, replayed: undefined, body: { type: 'E403', message: 'removed' } })
  })

  test('one of many simultaneous requests creates the resource, and all get its reply', async () => {
    for (let round = 0; round < 10; round += 1) {
      const key = aKey()
      const before = await countNotes()

      const answers = await Promise.all(Array.from({ length: 8 }, async () => await post(key)))

      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
      expect(answers.filter((answer) => answer.replayed === undefined)).toHaveLength(1)
      expect(await countNotes()).toBe(before + 1)
    }
  })

  test('every request without a key creates a resource', async () => {
    const [one, other] = [await post(undefined), await post(undefined)]

    expect(one.body.id).not.toBe(other.body.id)
  })

  test('a key is valid for one user and one endpoint', async () => {
    const key = aKey()

    const answers = [await post(key), await post(key, { user: 'ben' }), await post(key, { url: '/shelves' })]

    expect(answers.map((answer) => answer.replayed)).toEqual([undefined, undefined, undefined])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(3)
  })

  test('requests that differ only in surrounding spaces count as the same request', async () => {
    const key = aKey()
    await post(key, { text: 'hello' })

    expect((await post(key, { text: ' hello ' })).replayed).toBe('true')
  })

  test.each([
    [undefined, 'blue'],
    ['blue', null],
  ])('a repeat may differ in a field that processes of an earlier version strip: %j, then %j', async (first, then) => {
    const key = aKey()
    await post(key, { ink: first })

    expect(await post(key, { ink: then })).toMatchObject({ status: 201, replayed: 'true' })
    expect((await post(key, { text: 'other', ink: first })).status).toBe(400)
  })

  describe('a key that was used before', () => {
    test.each([
      ['another body', { text: 'other' }],
      ['another path', { url: '/shelves/2/notes' }],
    ])('a key that was used with %s is rejected', async (_what, other) => {
      const key = aKey()
      await post(key)
      const before = await countNotes()

      const { status, body } = await post(key, other)

      expect(status).toBe(400)
      expect(body).toEqual({
        type: 'E400',
        message: 'Idempotency-Key: this key has come with another request before',
      })
      expect(await countNotes()).toBe(before)
    })
  })

  test.each([['short'], ['x'.repeat(129)], ['sixteen chars no'], ['größer-als-sechzehn']])(
    'the invalid key %j is rejected with the name of the header',
    async (key) => {
      const { status, body } = await post(key)

      expect(status).toBe(400)
      expect(body).toMatchObject({ message: 'Idempotency-Key: must be 16 to 128 visible ASCII characters' })
    },
  )

  test('a failure is not stored, so the same key can be retried', async () => {
    const key = aKey()

    const refused = [await post(key, { text: 'refused' }), await post(key, { text: 'refused' })]
    const made = await post(key)

    expect(refused.map((answer) => [answer.status, answer.replayed])).toEqual([
      [403, undefined],
      [403, undefined],
    ])
    expect(made.status).toBe(201)
  })

  test('a reply is stored for a day and then removed', async () => {
    const key = aKey()
    const first = await post(key)
    const kept = async () =>
      (
        await theDatabase()
          .withTables<{ idempotent_reply: { user_id: string } }>()
          .read.selectFrom('idempotent_reply')
          .select('user_id')
          .execute()
      ).length

    now = new Date(now.getTime() + KEPT_MS - 1)
    expect((await post(key)).body.id).toBe(first.body.id)
    now = new Date(now.getTime() + 2)
    const later = await post(key)
    expect(later.replayed).toBeUndefined()
    expect(later.body.id).not.toBe(first.body.id)
    now = new Date(now.getTime() + KEPT_MS + 1)
    await sweepReplies({ database: theDatabase().withTables<unknown>(), clock })
    expect(await kept()).toBe(0)
  })

  test('the database reveals neither key nor request nor reply', async () => {
    const key = aKey()
    const { body } = await post(key, { text: 'a very secret token' })

    const rows = await theDatabase()
      .withTables<{ idempotent_reply: Record<string, Uint8Array | string> }>()
      .read.selectFrom('idempotent_reply')
      .selectAll()
      .execute()
    const stored = rows.flatMap((row) => Object.values(row)).map((value) => Buffer.from(value).toString('latin1'))

    expect(stored.length).toBeGreaterThan(0)
    for (const secret of [key, 'secret', body.id]) expect(stored.join('\n')).not.toContain(secret)
  })
})
