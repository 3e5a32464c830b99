import { setTimeout as pause } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { redisEventBus } from '../events/redis-bus.ts'
import type { EventBus } from '../events/bus.ts'
import { redisRateLimiter } from '../limits/rate-limiter.ts'
import { systemRandom } from '../runtime/random.ts'
import { freePort } from '../testing/free-port.ts'
import { startMovableLine } from '../testing/movable-line.ts'
import { type RedisServer, startRedis } from '../testing/redis-server.ts'
import { openRedis, type RedisConnections } from './open.ts'
import { WITHIN } from '../testing/within.ts'

type Process = RedisConnections & { bus: EventBus; logged: string[] }

const limit = { max: 5, windowSeconds: 60 }
const processes: Process[] = []
let server: RedisServer

beforeAll(async () => {
  server = await startRedis()
})
afterAll(async () => {
  for (const one of processes) await one.close()
  await server.kill()
})

/** The parts of one of several processes. */
async function aProcess(): Promise<Process> {
  const logged: string[] = []
  const log = (line: unknown): void => {
    logged.push(String(line))
  }
  const connections = await openRedis(server.url, { error: log, warn: log })
  const one = { ...connections, bus: await redisEventBus(connections, systemRandom), logged }
  processes.push(one)
  return one
}

test('an event reaches every process exactly once, and only on its channel', async () => {
  const [here, there] = [await aProcess(), await aProcess()]
  const heard: string[] = []
  here.bus.subscribe('films', (payload) => heard.push(`here ${payload}`))
  there.bus.subscribe('films', (payload) => heard.push(`there ${payload}`))
  there.bus.subscribe('others', (payload) => heard.push(`others ${payload}`))

  here.bus.publish('films', '{"kind": "a b"}')
  there.bus.publish('films', 'last')

  await vi.waitFor(() => {
    expect(heard.toSorted()).toEqual(['here last', 'here {"kind": "a b"}', 'there last', 'there {"kind": "a b"}'])
  }, WITHIN)
})

test('a channel counts as quiet since the last event of any process', async () => {
  const [here, there] = [await aProcess(), await aProcess()]
  const heard: string[] = []
  there.bus.subscribe('loud', (payload) => heard.push(payload))
  await pause(50)

  here.bus.publish('loud', 'one')
  await vi.waitFor(() => {
    expect(heard).toEqual(['one'])
  }, WITHIN)

  for (const { bus } of [here, there]) expect(bus.quietMs('quiet') - bus.quietMs('loud')).toBeGreaterThan(40)
})

test('a listener gets no events after it unsubscribes', async () => {
  const [here, there] = [await aProcess(), await aProcess()]
  const heard: string[] = []
  const leave = there.bus.subscribe('left', (payload) => heard.push(payload))
  there.bus.subscribe('end', (payload) => heard.push(payload))

  leave()
  here.bus.publish('left', 'a')
  here.bus.publish('end', 'z')

  await vi.waitFor(() => {
    expect(heard).toEqual(['z'])
  }, WITHIN)
})

test('all processes share the limit of a caller', async () => {
  const limiters = [redisRateLimiter((await aProcess()).commands), redisRateLimiter((await aProcess()).commands)]

  const answers = []
  for (let n = 0; n < 8; n += 1) answers.push(await limiters[n % 2]?.take('write', 'ana', limit))

  expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(5)
  expect(answers.at(-1)?.retryAfterSeconds).toBeGreaterThan(50)
})

test('all processes share the count of spend, even beyond the limit', async () => {
  const limiters = [redisRateLimiter((await aProcess()).commands), redisRateLimiter((await aProcess()).commands)]

  const counts = []
  for (let n = 0; n < 7; n += 1) counts.push(await limiters[n % 2]?.spend('budget', 'reset', limit))

  expect(counts.map((count) => count?.used)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(counts.at(-1)?.msLeft).toBeGreaterThan(50_000)
})

test('a call that one process gives back can be made at another', async () => {
  const [here, there] = [redisRateLimiter((await aProcess()).commands), redisRateLimiter((await aProcess()).commands)]
  for (let n = 0; n < 5; n += 1) await here.take('back', 'ana', limit)

  await here.giveBack('back', 'ana', limit)

  expect([await there.take('back', 'ana', limit), await there.take('back', 'ana', limit)]).toEqual([
    undefined,
    { retryAfterSeconds: expect.any(Number) as number },
  ])
})

test('each process counts and publishes alone while Redis is down, and listeners see the gap afterwards', async () => {
  const [here, there] = [await aProcess(), await aProcess()]
  const limiter = redisRateLimiter(here.commands)
  const heard: string[] = []
  const hear = (name: string, { bus }: Process) =>
    bus.subscribe(
      'films',
      (payload) => heard.push(`${name} ${payload}`),
      () => heard.push(`${name} gap`),
    )
  hear('here', here)
  hear('there', there)

  await server.kill()
  here.bus.publish('films', 'alone')
  await vi.waitFor(() => {
    expect([here.bus.quietMs('films'), there.bus.quietMs('others')]).toEqual([0, 0])
  }, WITHIN)
  const answers = []
  for (let n = 0; n < 8; n += 1) answers.push(await limiter.take('gone', 'ana', limit))
  const spent = await limiter.spend('gone too', 'reset', limit)
  await server.start()

  await vi.waitFor(
    () => {
      expect(new Set(heard)).toEqual(new Set(['here alone', 'here gap', 'there gap']))
    },
    { timeout: 30_000 },
  )
  expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(5)
  expect(spent.used).toBe(1)
  await vi.waitFor(() => {
    here.bus.publish('films', 'again')
    expect(heard).toContain('there again')
  }, WITHIN)
  await vi.waitFor(() => {
    expect(here.logged.map((line) => line.replace(/:.*/u, ''))).toEqual(['Redis is gone', 'Redis is back'])
  }, WITHIN)
})

test('calls are counted in the process while Redis is frozen, and in Redis again afterwards', async () => {
  const { commands } = await aProcess()
  const limiter = redisRateLimiter(commands)
  await limiter.take('frozen', 'ana', limit)

  server.freeze(true)
  const answers = await Promise.all(Array.from({ length: 8 }, async () => await limiter.take('frozen', 'ana', limit)))
  server.freeze(false)

  expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(5)
  await vi.waitFor(
    async () => {
      expect(await commands.exists('marquee:limit:frozen:ana')).toBe(1)
    },
    { timeout: 30_000 },
  )
})

test.each([
  ['freezes for 1.5 seconds', async () => await pause(1_500)],
  [
    'ends and starts again',
    async () => {
      await pause(100)
      await server.kill()
      await server.start()
    },
  ],
])(
  'a listener whose Redis %s during resubscription is notified of one gap and gets later events',
  async (_name, happens) => {
    const rejections: unknown[] = []
    const note = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', note)
    const [here, there] = [await aProcess(), await aProcess()]
    const heard: string[] = []
    there.bus.subscribe(
      'films',
      (payload) => heard.push(payload),
      () => heard.push('gap'),
    )
    const isOver = Promise.withResolvers<void>()
    // Before the listener subscribes again.
    there.listener.prependOnceListener('ready', () => {
      server.freeze(true)
      void happens().finally(() => {
        server.freeze(false)
        isOver.resolve()
      })
    })

    await here.commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await isOver.promise

    await vi.waitFor(() => {
      expect([here.commands.status, there.bus.quietMs('others') > 0]).toEqual(['ready', true])
    }, WITHIN)
    here.bus.publish('films', 'later')
    await vi.waitFor(() => {
      expect(heard).toContain('later')
    }, WITHIN)
    process.off('unhandledRejection', note)
    expect(heard).toEqual(['gap', 'later'])
    expect(rejections).toEqual([])
  },
)

test('opening Redis is tried again if the first reply comes too late', async () => {
  const line = await startMovableLine(Number(new URL(server.url).port))
  line.hold(true)
  const opening = openRedis(`redis://127.0.0.1:${line.port}`, { error: () => undefined, warn: () => undefined })
  setTimeout(() => {
    line.hold(false)
  }, 1_500)

  const connections = await opening
  const pong = await connections.commands.ping()
  await connections.close()
  await line.stop()

  expect(pong).toBe('PONG')
})

test('opening Redis fails with the reason if it is down at the start', async () => {
  const closed = await freePort()
  const opening = openRedis(`redis://127.0.0.1:${closed}`, { error: () => undefined, warn: () => undefined })

  await expect(opening).rejects.toMatchObject({ name: 'RedisUnreachable', cause: { code: 'ECONNREFUSED' } })
})
