import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { TRIES_ALL } from '@marquee/platform/testing/each-database'
import { freePort } from '@marquee/platform/testing/free-port'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { MIGRATIONS } from './migrations/make-tables.ts'
import { compareWith } from './testing/past-versions/compare.ts'
import { copyTables } from './testing/past-versions/copy-tables.ts'
import { migrateInterrupted } from './testing/past-versions/interrupt.ts'
import { listRecordings, readRecording, type Recording, unpackData } from './testing/past-versions/recording.ts'
import { runMarquee } from './testing/run-marquee.ts'
import { failToStart, type ServerProcess, startServer } from './testing/server-process.ts'

const CLOCK = join(import.meta.dirname, 'testing/past-versions/at-time.ts')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-past-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const RECORDINGS = listRecordings()
const OLDEST = RECORDINGS.toSorted((one, other) => (readRecording(one).at < readRecording(other).at ? -1 : 1))[0]

describe.concurrent.each(RECORDINGS)('the data of version %s', (name) => {
  /** It takes the most steps to upgrade. With `npm test -- --all`, each recording is also interrupted in all ways. */
  const isOldest = name === OLDEST
  const recording = readRecording(name)
  const fresh = async (purpose: string): Promise<string> => {
    const dataDir = join(folder, `${name}-${purpose}`)
    await unpackData(name, dataDir)
    return dataDir
  }

  test('users find everything after the upgrade, and again after a move to PostgreSQL', async () => {
    const dataDir = await fresh('moved')
    const embedded = await differencesOnce(recording, { DATA_DIR: dataDir })
    const to = await freshPostgresUrl()
    const moved = await runMarquee(['move', '--to', to], { settings: { ...clockOf(recording), DATA_DIR: dataDir } })
    const home = join(folder, `${name}-home`)
    await cp(join(dataDir, 'images'), join(home, 'images'), { recursive: true })
    const onPostgres = await differencesOnce(recording, {
      DATA_DIR: home,
      DATABASE_URL: to,
      MASTER_KEY_FILE: join(dataDir, 'keys', 'master.key'),
    })

    expect(embedded).toEqual([])
    expect(moved).toMatchObject({ code: 0 })
    expect(onPostgres).toEqual([])
  })

  test('an upgrade interrupted at each of its steps in turn completes, and users find everything', async () => {
    const dataDir = await fresh('interrupted')
    const database = openSqlite(join(dataDir, 'marquee.db'))
    const points = await migrateInterrupted(database, MIGRATIONS)
    await database.close()
    const found = await differencesOnce(recording, { DATA_DIR: dataDir })

    expect(points).toContain('product 0076_countries tables')
    expect(points.length).toBeGreaterThan(10)
    expect(found).toEqual([])
  })

  test.runIf(TRIES_ALL || isOldest)(
    'an upgrade on PostgreSQL interrupted at each of its steps in turn completes, and users find everything',
    async () => {
      const dataDir = await fresh('interrupted-postgres')
      const url = await freshPostgresUrl()
      await copyTables(join(dataDir, 'marquee.db'), url)
      const database = openPostgres(url, { onIdleError: () => undefined })
      const points = await migrateInterrupted(database, MIGRATIONS)
      await database.close()
      await rm(join(dataDir, 'marquee.db'))
      const found = await differencesOnce(recording, { DATA_DIR: dataDir, DATABASE_URL: url })

      expect(points).toContain('product 0076_countries tables')
      expect(points.filter((point) => point.includes(' rows from '))).not.toEqual([])
      expect(points.filter((point) => point.startsWith('  index '))).not.toEqual([])
      expect(found).toEqual([])
    },
  )

  test.runIf(TRIES_ALL || isOldest)(
    'a server killed during its upgrade completes it after a restart, and users find everything',
    async () => {
      const dataDir = await fresh('killed')
      const settings = { ...clockOf(recording), PORT: String(await freePort()), DATA_DIR: dataDir }
      const killed = await failToStart(settings, /Copying the database/u)
      const found = await differencesOnce(recording, { DATA_DIR: dataDir })

      // A process that ends by itself has a code.
      expect(killed.code).toBeNull()
      expect(found).toEqual([])
    },
  )
})

function clockOf({ at }: Recording): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${CLOCK}`, TEST_TIME: at }
}

async function startOn(recording: Recording, settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const PORT = String(await freePort())
  return await startServer({ ...clockOf(recording), PORT, RATE_LIMITS: 'off', ...settings })
}

/** Starts the server, and returns what users see otherwise than before. */
async function differencesOnce(recording: Recording, settings: Readonly<Record<string, string>>): Promise<string[]> {
  const server = await startOn(recording, settings)
  try {
    return await compareWith(recording, server)
  } finally {
    await server.end('SIGTERM')
  }
}
