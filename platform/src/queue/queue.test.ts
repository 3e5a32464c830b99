import pino from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { bigInteger, clustered, keyText } from '../database/columns.ts'
import type { Migrations } from '../database/migrate.ts'
import { systemRandom } from '../runtime/random.ts'
import { eachDatabase } from '../testing/each-database.ts'
import { type Policy, type Queue, startQueue } from './queue.ts'
import { type DueTable, takeRows } from './store.ts'
import { WITHIN } from '../testing/within.ts'

type Row = { owner: string; target: string; id: string; attempts: number; due_at: number }

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

const TABLE: DueTable<Row> = {
  name: 'errand',
  key: ['owner', 'target', 'id'],
  lane: 2,
  thenBy: 'id',
  attempts: 'attempts',
}

const migrations: Migrations = {
  '0001_errands': {
    up: async (db) => {
      const id = keyText(db)
      await clustered(db, db.schema.createTable('errand'))
        .addColumn('owner', id, (column) => column.notNull())
        .addColumn('target', id, (column) => column.notNull())
        .addColumn('id', id, (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('due_at', bigInteger(db))
        .addPrimaryKeyConstraint('errand_pk', ['owner', 'target', 'id'])
        .execute()
      await db.schema.createIndex('errand_due').on('errand').columns(['due_at', 'id']).execute()
    },
  },
}

eachDatabase<{ errand: Row }>({ errands: migrations }, (theDatabase) => {
  const queues: Queue[] = []
  let now = new Date('2026-01-01T00:00:00.000Z').getTime()
  const clock = { now: () => new Date(now) }
  let held = Promise.withResolvers<undefined>()
  afterEach(async () => {
    held.resolve(undefined)
    for (const queue of queues.splice(0)) await queue.stop()
    // Not before: a queue may begin another row while it stops.
    held = Promise.withResolvers()
    await theDatabase().transaction(async (trx) => await trx.deleteFrom('errand').execute())
  })

  async function add(...rows: readonly Partial<Row>[]): Promise<void> {
    const all = rows.map((row) => ({ owner: 'ana', target: 'a', attempts: 0, due_at: now, id: '', ...row }))
    await theDatabase().transaction(async (trx) => {
      for (let n = 0; n < all.length; n += 100)
        await trx
          .insertInto('errand')
          .values(all.slice(n, n + 100))
          .execute()
    })
  }

  const left = async () => await theDatabase().read.selectFrom('errand').selectAll().orderBy('id').execute()

  /** Performs errands with `perform`, and removes those for which it resolves. */
  function aQueue(
    perform: (id: string, row: Row) => Promise<unknown>,
    policy: Partial<Policy<Row>> = {},
    onRead: (text: string) => unknown = () => undefined,
  ) {
    const performed: string[] = []
    const plain = theDatabase().withTables<unknown>()
    const read = plain.read.withPlugin({
      transformQuery: ({ node, queryId }) => {
        onRead(plain.read.getExecutor().compileQuery(node, queryId).sql)
        return node
      },
      transformResult: async ({ result }) => await Promise.resolve(result),
    })
    const database = { ...plain, read }
    const logger = pino({ level: 'silent' })
    const queue = startQueue<Row>(
      { database, clock, random: systemRandom, logger },
      {
        name: 'errands',
        table: TABLE,
        parallel: 2,
        claimMs: MINUTE_MS,
        retryMs: 30 * SECOND_MS,
        longestWaitMs: 10 * MINUTE_MS,
        perform: async (rows) => {
          for (const row of rows) {
            performed.push(row.id)
            await perform(row.id, row)
          }
          await database.transaction(async (trx) => await takeRows(trx, TABLE, rows))
        },
        ...policy,
      },
    )
    queues.push(queue)
    return { queue, performed }
  }

  const done = async () => await Promise.resolve()
  const hangs = async () => await held.promise
  const until = async (check: () => void | Promise<void>) => await vi.waitFor(check, WITHIN)

  test('a hundred older rows of one owner do not hold up the row of another owner', async () => {
    const flood = Array.from({ length: 100 }, (_, n) => ({ owner: 'ana', target: `t${n}`, id: `flood-${n}` }))
    await add(...flood, { owner: 'ben', target: 'b', id: 'other', due_at: now + 1 })
    now += 1

    const { performed } = aQueue(done)
    await until(async () => expect(await left()).toEqual([]))

    expect(performed.indexOf('other')).toBeLessThan(20)
    expect(performed).toHaveLength(101)
  })

  test('a row that becomes due right after the queue checks is processed soon', async () => {
    await add({ id: 'late', due_at: now + 1 })
    const { performed } = aQueue(done, {
      whenIdle: async () => {
        now += 1
        return await Promise.resolve(false)
      },
    })

    await until(() => expect(performed).toEqual(['late']))
  })

  test('a hundred rows for a target that hangs delay no other target of the same owner', async () => {
    const flood = Array.from({ length: 100 }, (_, n) => ({ target: 'a', id: `flood-${n}` }))
    await add(...flood, { target: 'b', id: 'other', due_at: now + 1 })
    now += 1

    const { performed } = aQueue(async (_id, { target }) => await (target === 'a' ? hangs() : done()))
    await until(() => expect(performed).toContain('other'))

    expect(performed.filter((id) => id.startsWith('flood'))).toHaveLength(1)
  })

  test('a hundred rows for a target that hangs delay no other owner, however many owners have waiting rows', async () => {
    const flood = Array.from({ length: 100 }, (_, n) => ({ target: 'a', id: `flood-${n}` }))
    const waiting = Array.from({ length: 100 }, (_, n) => ({ owner: `ben ${n}`, due_at: now + MINUTE_MS }))
    await add(...flood, ...waiting, { owner: 'cleo', target: 'c', id: 'other', due_at: now + 1 })
    now += 1

    const { performed } = aQueue(async (_id, { target }) => await (target === 'a' ? hangs() : done()))

    await until(() => expect(performed).toContain('other'))
  })

  test('a queue does not scan all rows that wait for a hanging target at every wake-up', async () => {
    let heard = Promise.withResolvers<undefined>()
    let looksBehind = 0
    await add(...Array.from({ length: 100 }, (_, n) => ({ target: 'hangs', id: `waits-${n}` })))
    const wakes = 60
    const { queue } = aQueue(hangs, {}, (text) => {
      if (text.includes('not "owner"')) looksBehind += 1
      else if (text.includes('order by "due_at"')) heard.resolve(undefined)
    })

    for (let n = 0; n < wakes; n += 1) {
      heard = Promise.withResolvers()
      queue.wake()
      await heard.promise
    }

    expect(looksBehind).toBeGreaterThan(0)
    // At most once a second, and a wake takes milliseconds. It was every second wake.
    expect(looksBehind).toBeLessThan(wakes / 4)
  })

  test('an owner who has used up all allowed lanes delays no other owner', async () => {
    const flood = Array.from({ length: 100 }, (_, n) => ({ target: `a${n}`, id: `flood-${n}` }))
    const waiting = Array.from({ length: 100 }, (_, n) => ({ owner: `ben ${n}`, due_at: now + MINUTE_MS }))
    await add(...flood, ...waiting, { owner: 'cleo', target: 'c', id: 'other', due_at: now + 1 })
    now += 1

    const { performed } = aQueue(async (_id, { owner }) => await (owner === 'ana' ? hangs() : done()), { perOwner: 1 })

    await until(() => expect(performed).toContain('other'))
  })

  test.each([1, 4, 10])('%i targets that hang take one place each, and all other rows are performed', async (count) => {
    const hanging = Array.from({ length: count * 3 }, (_, n) => ({ target: `hangs-${n % count}`, id: `h${n}` }))
    await add(...hanging, { target: 'good', id: 'one', due_at: now + 1 }, { owner: 'ben', id: 'two', due_at: now + 1 })
    now += 1

    const slow = { afterMs: 20, most: 20 }
    const { performed } = aQueue(async (id) => await (id.startsWith('h') ? hangs() : done()), { slow })
    await until(() => expect(performed).toEqual(expect.arrayContaining(['one', 'two'])))
    await until(() => expect(performed.filter((id) => id.startsWith('h'))).toHaveLength(count))
  })

  test('owners take turns', async () => {
    await add(...['a1', 'a2', 'a3', 'a4'].map((id, n) => ({ owner: 'ana', target: 'a', id, due_at: now + n })))
    await add(...['b1', 'b2'].map((id, n) => ({ owner: 'ben', target: 'b', id, due_at: now + 10 + n })))
    now += 20

    const { performed } = aQueue(done, { parallel: 1 })
    await until(async () => expect(await left()).toEqual([]))

    expect(performed).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
  })

  test('a row whose work fails is tried again later and delays no other row', async () => {
    await add({ id: '1', target: 'a' }, { id: '2', target: 'b' })
    let isBroken = true
    const fails = async (id: string) => {
      if (isBroken && id === '1') throw new Error('Not now')
      await done()
    }
    const { performed, queue } = aQueue(fails)
    await until(async () => {
      expect(await left()).toMatchObject([{ id: '1', attempts: 1, due_at: now + 30 * SECOND_MS }])
    })

    isBroken = false
    now += 30 * SECOND_MS
    queue.wake()
    await until(async () => expect(await left()).toEqual([]))

    expect(performed.toSorted()).toEqual(['1', '1', '2'])
  })

  test('only the failed row is retried when rows are processed together', async () => {
    await add({ id: '1' }, { id: '2' }, { id: '3' })
    const { performed } = aQueue(async (id) => await (id === '2' ? Promise.reject(new Error('No')) : done()), {
      batch: 10,
    })

    await until(async () => expect(await left()).toMatchObject([{ id: '2', due_at: now + 30 * SECOND_MS }]))

    expect(performed).toEqual(['1', '2', '1', '2', '3'])
  })

  test('two processes perform each row only once', async () => {
    await add(...Array.from({ length: 60 }, (_, n) => ({ target: `t${n}`, id: String(n) })))

    const [one, other] = [aQueue(done), aQueue(done)]
    await until(async () => expect(await left()).toEqual([]))

    expect([...one.performed, ...other.performed].toSorted()).toEqual(
      Array.from({ length: 60 }, (_, n) => String(n)).toSorted(),
    )
  })

  test('the row of a dead process is performed by another process once its claim has expired', async () => {
    await add({ id: '1' })
    aQueue(hangs)
    await until(async () => expect(await left()).toMatchObject([{ due_at: now + MINUTE_MS }]))

    const { performed, queue } = aQueue(done)
    queue.wake()
    await expect(left()).resolves.toMatchObject([{ id: '1' }])
    expect(performed).toEqual([])
    now += MINUTE_MS
    queue.wake()

    await until(async () => expect(await left()).toEqual([]))
    expect(performed).toEqual(['1'])
  })

  test('a queue that stops gives back its unfinished rows', async () => {
    await add({ id: '1' })
    const begun = Promise.withResolvers<undefined>()
    const { queue } = aQueue(done, {
      perform: async (_rows, { stopping }) => {
        begun.resolve(undefined)
        await new Promise((_resolve, reject) => {
          stopping.addEventListener('abort', () => reject(new Error('The process stops')))
        })
      },
    })
    await begun.promise
    await queue.stop()

    expect(await left()).toMatchObject([{ id: '1', due_at: now }])
  })

  describe('a due time too far in the future', () => {
    test('a due time too far in the future is ignored when a process starts', async () => {
      await add({ id: 'claimed', due_at: now + 2 * DAY_MS }, { id: 'waits', target: 'b', due_at: now + 5 * MINUTE_MS })

      const { performed } = aQueue(done)

      await until(async () => expect(await left()).toMatchObject([{ id: 'waits' }]))
      expect(performed).toEqual(['claimed'])
    })

    test('a due time too far in the future is ignored when the clock is set back', async () => {
      now += 2 * DAY_MS
      const failing = aQueue(async () => await Promise.reject(new Error('Not now')))
      await add({ id: '1' })
      failing.queue.wake()
      await until(async () => expect(await left()).toMatchObject([{ due_at: now + 30 * SECOND_MS }]))
      const tries = failing.performed.length

      now -= 2 * DAY_MS
      failing.queue.wake()

      await until(() => expect(failing.performed.length).toBeGreaterThan(tries))
    })
  })
})
