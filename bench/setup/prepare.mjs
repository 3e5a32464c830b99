import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { identityMigrations } from '../../identity/src/index.ts'
import { productMigrations } from '../../server/src/migrations/index.ts'
import { fillPostgres } from './fill-postgres.mjs'
import { fillSqlite } from './fill-sqlite.mjs'
import { forgetMails, signUpPeople } from './people.mjs'
import { startPostgres } from './postgres-server.mjs'
import { startProgram } from './program.mjs'
import { COLUMNS } from './rows.mjs'
import { PEOPLE, PLACES } from './sizes.mjs'

/** Where generated data is kept between runs; BENCH_CACHE names another folder. */
const CACHE = process.env.BENCH_CACHE ?? join(import.meta.dirname, '../../.cache/bench')

const without = (database) => process.argv.includes(database === 'SQLite' ? '--postgres' : '--sqlite')

/**
 * Runs `act` on SQLite and on PostgreSQL, or on one of them if the command names it. `act` gets the name of the database, the
 * settings of a server on a copy of the data, and its users.
 */
export async function onPreparedData(sizes, act) {
  if (!without('SQLite')) {
    tellOf('SQLite', sizes)
    const { dataDir, people, remove } = await prepareSqlite(sizes)
    await act('SQLite', { DATA_DIR: dataDir }, people).finally(remove)
  }
  if (without('PostgreSQL')) return
  await onPostgres(postgresFolder(), async (server) => {
    tellOf('PostgreSQL', sizes)
    const { dataDir, url, people, remove } = await preparePostgres(server, sizes)
    await act('PostgreSQL', { DATA_DIR: dataDir, DATABASE_URL: url }, people).finally(remove)
  })
}

/** The same without data: `act` gets a function that returns the settings of a new server with this name. */
export async function onNewData(act) {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'))
  // PostgreSQL does not run as root.
  await chmod(folder, 0o755)
  try {
    if (!without('SQLite')) await act('SQLite', (name) => ({ DATA_DIR: join(folder, `sqlite-${name}`) }))
    if (without('PostgreSQL')) return
    await onPostgres(join(folder, 'postgres'), async (server) => {
      await act('PostgreSQL', async (name) => {
        await server.run(`create database ${name}`)
        return { DATA_DIR: join(folder, name), DATABASE_URL: server.urlOf(name) }
      })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function onPostgres(folder, act) {
  const server = await startPostgres(folder)
  await act(server).finally(server.stop)
}

function tellOf(database, { cards }) {
  process.stderr.write(`${database}: preparing ${cards.toLocaleString('en')} cards\n`)
}

/** Data for other tables or sizes is created again. */
function folderOf(kind, sizes) {
  const shape = JSON.stringify([
    sizes,
    PLACES,
    COLUMNS,
    Object.keys(productMigrations),
    Object.keys(identityMigrations),
  ])
  return join(CACHE, `${kind}-${createHash('sha256').update(shape).digest('hex').slice(0, 10)}`)
}

/** A copy of the data folder of a server on SQLite, which a run may change, and its users. */
async function prepareSqlite(sizes) {
  const kept = folderOf('sqlite', sizes)
  if (!existsSync(kept)) {
    await rm(`${kept}.new`, { recursive: true, force: true })
    const dataDir = join(`${kept}.new`, 'data')
    const people = await makePeople({ DATA_DIR: dataDir })
    fillSqlite(join(dataDir, 'marquee.db'), sizes, people)
    await writeFile(join(`${kept}.new`, 'people.json'), JSON.stringify(people))
    await rename(`${kept}.new`, kept)
  }
  const used = `${kept}.used`
  await rm(used, { recursive: true, force: true })
  await cp(kept, used, { recursive: true })
  // The disk must not be busy with the copy during a measurement.
  spawnSync('sync')
  return { dataDir: join(used, 'data'), people: await peopleOf(kept), remove: () => rm(used, { recursive: true }) }
}

/** The same on PostgreSQL: a copy of the database, which a run may change, and the data folder with the master key. */
async function preparePostgres(server, sizes) {
  const kept = folderOf('postgres', sizes)
  const name = kept.split('/').at(-1).replace('-', '_')
  const [found] = await server.run(`select 1 from pg_database where datname = '${name}'`)
  if (!found || !existsSync(kept)) {
    await rm(kept, { recursive: true, force: true })
    await server.run(`drop database if exists ${name}`)
    await server.run(`drop database if exists ${name}_new`)
    await server.run(`create database ${name}_new`)
    const people = await makePeople({ DATA_DIR: join(kept, 'data'), DATABASE_URL: server.urlOf(`${name}_new`) })
    const files = join(postgresFolder(), 'copy')
    await mkdir(files, { recursive: true, mode: 0o755 })
    await fillPostgres(server.urlOf(`${name}_new`), sizes, people, files)
    await writeFile(join(kept, 'people.json'), JSON.stringify(people))
    await server.run(`alter database ${name}_new rename to ${name}`)
  }
  await server.run(`drop database if exists ${name}_used`)
  await server.run(`create database ${name}_used template ${name} strategy file_copy`)
  return {
    dataDir: join(kept, 'data'),
    url: server.urlOf(`${name}_used`),
    people: await peopleOf(kept),
    remove: async () => await server.run(`drop database ${name}_used with (force)`),
  }
}

function postgresFolder() {
  return join(CACHE, 'postgres')
}

async function makePeople(settings) {
  await mkdir(settings.DATA_DIR, { recursive: true })
  const program = await startProgram(settings)
  try {
    return await signUpPeople(program.url, settings.DATA_DIR, PEOPLE)
  } finally {
    await program.stop()
    await forgetMails(settings.DATA_DIR)
  }
}

async function peopleOf(folder) {
  return JSON.parse(await readFile(join(folder, 'people.json'), 'utf8'))
}
