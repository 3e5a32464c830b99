import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'
import { createMetrics } from '@marquee/platform/metrics/metrics'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, type Caller, callOk } from './testing/call.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { aMediaServer, aSeerr, MEDIA_HERE } from './testing/media/a-media-server.ts'
import { NO_MEDIA_SERVERS } from './testing/media-servers.ts'
import { movableClock } from './testing/movable-clock.ts'
import { BODIES, isCall, QUERIES } from './testing/scene.ts'
import { startApp } from './testing/start-app.ts'
import { watchInstance } from './watch-instance.ts'

const WAIT = { timeout: 60_000, interval: 50 }
const MEDIA_SERVERS = { ...NO_MEDIA_SERVERS, reach: MEDIA_HERE }

/** All that the tables have, and on SQLite also the bytes of a copy of the file, as a backup has it. */
async function storedIn({ dialect, read, schema }: Database<unknown>): Promise<string> {
  const tables = (await schema.introspection.getTables()).map(({ name }) => name)
  const rows = await Promise.all(
    tables.map(async (name) => (await sql`select * from ${sql.table(name)}`.execute(read)).rows),
  )
  const text = JSON.stringify(rows)
  if (dialect !== 'sqlite') return text
  const folder = await mkdtemp(join(tmpdir(), 'marquee-copy-'))
  try {
    await sql`vacuum into ${join(folder, 'copy.db')}`.execute(read)
    return text + (await readFile(join(folder, 'copy.db'), 'latin1'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

anyDatabase({ product: productMigrations }, (theDatabase) => {
  test('secrets of media and request servers and their users appear in no reply, log, table or metric', async () => {
    const clock = movableClock()
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const metrics = createMetrics()
    watchInstance(metrics, { database: theDatabase(), redis: undefined })
    const started = await startApp(theDatabase(), {
      clock,
      logger,
      metrics,
      mediaServers: MEDIA_SERVERS,
      allowGuests: true,
    })
    onTestFinished(started.stop)
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(started, { owner: ana, members: [ben] })
    const params: Record<string, string> = { watchlistId: watchlist.id }
    const said: string[] = []
    const keys: string[] = []
    /** Links a user and reports a film, in every way that succeeds or fails. Returns what no one may see. */
    async function linkAndReport(standIn: Awaited<ReturnType<typeof aMediaServer>>): Promise<string[]> {
      const at = async (name: EndpointName, body?: object) => {
        const answer = await call(started, ENDPOINTS[name], ben, { params, ...(body && { body }) })
        if (name !== 'makeMediaHook') said.push(JSON.stringify(answer.body))
        return answer.body as Record<string, unknown>
      }
      const { attempt } = await at('beginQuickConnect')
      for (const entered of standIn.state.codes.values()) entered.userId = standIn.state.users[0]?.id ?? ''
      const quickConnect = [...standIn.state.codes.keys()]
      await at('finishQuickConnect', { attempt: attempt ?? 'none' })
      for (const password of ['a wrong guess of Lea', 'a secret of Lea'])
        await at('linkWithPassword', { name: 'Lea', password })
      await at('listMediaAccounts')
      await at('claimMediaAccount', { accountId: '1' })
      const { url } = await callOk(started, ENDPOINTS.makeMediaHook, ana, { params })
      const path = new URL(url).pathname
      for (const [body, type] of [
        ['{', 'text/plain'],
        ['{}', 'application/json'],
        ['x', 'multipart/form-data'],
      ]) {
        const headers = { 'content-type': type }
        const answer = await started.app.inject({ method: 'POST', url: path, headers, body: body ?? '' })
        said.push(answer.body, JSON.stringify(answer.headers))
      }
      const tokens = [...standIn.state.tokens.keys()]
      expect(tokens).toHaveLength(standIn.kind === 'plex' ? 0 : 1)
      return ['a wrong guess of Lea', 'a secret of Lea', path.split('/').at(-1) ?? '', ...tokens, ...quickConnect]
    }
    for (const kind of ['jellyfin', 'emby', 'plex'] as const) {
      const standIn = await aMediaServer(kind)
      const { key } = standIn.state
      keys.push(key, Buffer.from(key).toString('base64').slice(0, 20), encodeURIComponent(key))
      const body = { kind, url: standIn.url, token: key }
      const again = async (url: string) =>
        await call(started, ENDPOINTS.connectMediaServer, ana, { params, body: { ...body, url } })
      const made = await callOk(started, ENDPOINTS.connectMediaServer, ana, { params, body })
      params['serverId'] = made.serverId
      said.push(JSON.stringify(made), JSON.stringify((await again(standIn.url)).body))
      said.push(JSON.stringify((await again('http://127.0.0.1:9')).body))
      await vi.waitFor(async () => {
        const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params })
        expect(servers.find(({ serverId }) => serverId === made.serverId)?.state).toBe('ready')
      }, WAIT)
      for (const trouble of ['html', 'redirect', 'broken', 'locked', 'down'] as const) {
        standIn.fail(trouble)
        said.push(JSON.stringify((await again(standIn.url)).body))
        clock.moveAhead(2 * 60_000)
        await callOk(started, ENDPOINTS.readMediaServer, ben, { params })
        await vi.waitFor(async () => {
          const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params })
          expect(servers.find(({ serverId }) => serverId === made.serverId)?.state).toBe('failing')
        }, WAIT)
      }
      standIn.fail(undefined)
      const secrets = await linkAndReport(standIn)
      keys.push(...secrets)
    }
    const seerr = await aSeerr()
    const { key } = seerr.state
    keys.push(key, Buffer.from(key).toString('base64').slice(0, 20), encodeURIComponent(key))
    const connect = async (url: string) =>
      await call(started, ENDPOINTS.connectRequestServer, ana, { params, body: { url, token: key } })
    for (const trouble of ['html', 'redirect', 'broken', 'locked', 'down', undefined] as const) {
      seerr.fail(trouble)
      said.push(JSON.stringify((await connect(seerr.url)).body))
    }
    const film = { title: 'Nowhere', movie: { ids: { tmdb: '999999' } }, image: 'https://example.org/a.jpg' }
    const body = { ...film, revealImmediately: true }
    const { id: cardId } = await callOk(started, ENDPOINTS.addCard, ana, { params, body })
    seerr.fail('down')
    said.push(JSON.stringify((await call(started, ENDPOINTS.askForMovie, ben, { params: { ...params, cardId } })).body))
    await vi.waitFor(async () => {
      const { server } = await callOk(started, ENDPOINTS.getRequestServer, ana, { params })
      expect(server).toMatchObject({ fault: 'unreachable', open: 1 })
    }, WAIT)
    seerr.fail(undefined)
    const { id: nightId } = await callOk(started, ENDPOINTS.openNight, ana, { params })
    const stored = await storedIn(theDatabase())
    const { text: measured } = await metrics.print()

    const places = { ...params, nightId, username: ben.username, cardId: 'none', drawNumber: '1' }
    // Those that remove the watchlist come last.
    const names = (Object.keys(ENDPOINTS) as EndpointName[]).filter(isCall)
    const order = [
      ...names.filter((name) => ENDPOINTS[name].method !== 'DELETE'),
      ...names.filter((name) => ENDPOINTS[name].method === 'DELETE'),
    ]
    const given = {
      ...params,
      watchlistId: watchlist.id,
      newcomer: 'gina',
      member: ben.username,
      token: 'none',
      linkToken: 'none',
      image: 'none',
    }
    for (const name of order) {
      for (const by of [undefined, aUser('stranger'), ben, ana] as (Caller | undefined)[]) {
        const body = BODIES[name]?.(given)
        const query = QUERIES[name]
        const answer = await call(started, ENDPOINTS[name], by, {
          params: places,
          ...(body && { body }),
          ...(query && { query }),
        })
        said.push(JSON.stringify([answer.headers, answer.body]))
      }
    }

    const everywhere = { said: said.join('\n'), logged: lines.join(''), stored, measured }
    for (const part of ['marquee-watchlist', 'exportedAt', 'Jellyfin at home', '"state":"linked"', '"hooks"'])
      expect(everywhere.said).toContain(part)
    expect(everywhere.stored).toContain('jellyfin')
    expect(everywhere.logged).toContain('a media server cannot be read')
    expect(everywhere.logged).toContain('a server cannot be asked for movies')
    const found = Object.entries(everywhere).flatMap(([place, text]) =>
      keys.some((key) => text.includes(key)) ? [place] : [],
    )
    expect(found).toEqual([])
  })
})
