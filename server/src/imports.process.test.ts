import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import type { SuggestionsPage } from '@marquee/contract/entities/card'
import type { MovieImport } from '@marquee/contract/entities/import'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { freePort } from '@marquee/platform/testing/free-port'

import { clientOf } from './testing/api-client.ts'
import { startServer } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'

const ROWS = 1_500

test('a server that is killed while it adds or removes the cards of an import loses and duplicates none', async ({
  onTestFinished,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-imports-'))
  const settings = { PORT: String(await freePort()), DATA_DIR: dataDir, RATE_LIMITS: 'off' }
  let server = await startServer(settings)
  onTestFinished(async () => {
    await server.end('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  const token = await signUp({ url: server.url, name: 'ana', dataDir })
  const call = async <T>(method: string, path: string, body?: unknown) =>
    (await clientOf(server, token)<T>(method, path, body)).body
  const { id } = await call<Watchlist>('POST', '/watchlists', { name: 'Films' })
  const fileData = Buffer.from(Array.from({ length: ROWS }, (_, n) => `Film ${n}`).join('\n')).toString('base64')
  const begun = await call<MovieImport>('POST', `/watchlists/${id}/imports`, { fileName: 'films.txt', fileData })
  const path = `/watchlists/${id}/imports/${begun.id}`
  const becomes = async (isDone: (now: MovieImport) => boolean) =>
    await vi.waitUntil(
      async () => {
        const now = await call<MovieImport>('GET', `${path}?limit=1`)
        return isDone(now) && now
      },
      { timeout: 60_000, interval: 5 },
    )
  const killAndRestart = async () => {
    await server.end('SIGKILL')
    server = await startServer(settings)
  }
  const titles = async () => {
    const found: string[] = []
    for (let token = ''; ;) {
      const query = token === '' ? '' : `&nextToken=${encodeURIComponent(token)}`
      const page = await call<SuggestionsPage>('GET', `/watchlists/${id}/suggestions?limit=50${query}`)
      found.push(...page.cards.map((card) => card.title))
      if (page.nextToken === null) return { found, count: page.count }
      token = page.nextToken
    }
  }

  await call('POST', `${path}/apply`)
  const interrupted = await becomes(({ added }) => added >= 300)
  await killAndRestart()
  const applied = await becomes(({ state }) => state === 'applied')
  const { found, count } = await titles()
  await call('POST', `${path}/undo`)
  const undoing = await becomes(({ removed }) => removed >= 300)
  await killAndRestart()
  const undone = await becomes(({ state }) => state === 'undone')

  expect([interrupted.state, undoing.state]).toEqual(['applying', 'undoing'])
  expect([applied.added, count, new Set(found).size]).toEqual([ROWS, ROWS, ROWS])
  expect([undone.removed, undone.kept, (await titles()).count]).toEqual([ROWS, 0, 0])
})
