// `npm run past-version`: lives a life with the server of a commit, and keeps its data folder for the tests (docs/releasing.md).
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { sql } from 'kysely'

import { openSqlite } from '@marquee/platform/database/sqlite'
import { freePort } from '@marquee/platform/testing/free-port'

import { unpackVersion } from '../rolling-upgrade/earlier-version.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { openSession, signUp } from '../sign-up.ts'
import { ask, doerOf } from './client.ts'
import { live, type Lived } from './life.ts'
import { liveLater } from './later-life.ts'
import { readsOf } from './reads.ts'
import { fetchPictures, FOLDER, type Recording, type Seen, tar } from './recording.ts'

const NAMES = ['ana', 'ben', 'cleo']
/** Decisions are announced after 15 seconds, in which they can be undone. Nothing may wait when the recording begins. */
const QUIET_MS = 25_000

const { values } = parseArgs({ options: { of: { type: 'string' }, name: { type: 'string' } } })
if (values.of === undefined || !/^[\w.-]+$/u.test(values.name ?? '')) {
  console.error('Usage: npm run past-version -- --of COMMIT --name NAME')
  process.exit(2)
}

const earlier = await unpackVersion(values.of)
const dataDir = await mkdtemp(join(tmpdir(), 'marquee-past-'))
try {
  await keep(values.of, join(FOLDER, values.name ?? ''))
} finally {
  await rm(dataDir, { recursive: true, force: true })
  await earlier.remove()
}

async function keep(commit: string, folder: string): Promise<void> {
  const port = await freePort()
  const server = await startServer(
    { PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, DATA_DIR: dataDir, RATE_LIMITS: 'off' },
    undefined,
    { program: earlier.program },
  )
  let recording: Recording
  try {
    recording = await record(server, commit)
  } finally {
    await server.end('SIGTERM')
  }
  const database = openSqlite(join(dataDir, 'marquee.db'))
  await sql`vacuum`.execute(database.schema)
  await database.close()
  await mkdir(folder, { recursive: true })
  const left = ['--exclude=./outbox', '--exclude=./backups', '--exclude=*.lock']
  tar('-czf', join(folder, 'data.tar.gz'), ...left, '--sort=name', '--owner=0', '--group=0', '-C', dataDir, '.')
  await writeFile(join(folder, 'seen.json'), `${JSON.stringify(recording, null, 2)}\n`)
  const { size } = await stat(join(folder, 'data.tar.gz'))
  console.log(`${recording.seen.length} replies, ${recording.pictures.length} pictures, ${size} bytes of data`)
}

async function record(server: ServerProcess, commit: string): Promise<Recording> {
  const tokens = new Map<string, string>()
  for (const name of NAMES) tokens.set(name, await signUp({ url: server.url, dataDir, name }))
  const doer = (name: string) => doerOf(server, tokens.get(name))
  const people = { ana: doer('ana'), ben: doer('ben'), cleo: doer('cleo') }
  let lived: Lived = await live(people)
  const { status } = await ask(server, tokens.get('ana'), { path: `/watchlists/${lived.watchlistId}/draws` })
  if (status === 200) lived = await liveLater(server, people, lived)
  await pause(QUIET_MS)

  const refreshTokens: Record<string, string> = {}
  for (const name of NAMES) refreshTokens[name] = (await openSession(server.url, name)).refreshToken
  const seen: Seen[] = []
  for (const [as, token] of [...tokens, [null, undefined] as const]) {
    for (const path of readsOf(lived)) {
      const reply = await ask(server, token, { path })
      // Others are refused, which counts. A call that a version does not have is refused to everyone.
      if (reply.status === 200) seen.push({ as, path, ...reply })
    }
  }
  for (const as of ['cleo', null]) {
    for (const path of ['', '/cards'].map((end) => `/watchlists/${lived.watchlistId}${end}`)) {
      seen.push({ as, path, ...(await ask(server, as === null ? undefined : tokens.get(as), { path })) })
    }
  }
  return {
    commit,
    at: new Date().toISOString(),
    refreshTokens,
    personalToken: lived.personalToken ?? null,
    seen,
    pictures: await fetchPictures(server, seen),
  }
}
