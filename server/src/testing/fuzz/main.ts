// `npm run fuzz`: hostile requests to a real server, over HTTP (CONTRIBUTING.md).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

import { SMTPServer } from 'smtp-server'

import { freePort } from '@marquee/platform/testing/free-port'
import { startOwnPostgres } from '@marquee/platform/testing/own-postgres'

import type { OpenApiDocument } from '../../openapi/document-types.ts'
import { startCatalogueStandIn } from '../catalogue/stand-in.ts'
import { startServer } from '../server-process.ts'
import { TOOLS } from './hosted-requests.ts'
import { memoryNow, memoryOf } from './inspector.ts'
import { createKnowledge } from './known.ts'
import { overHttp } from './over-http.ts'
import { requestsOf } from './requests.ts'
import { asCurl, createFuzz, type Outcome } from './run.ts'
import { signUpUsers } from './users.ts'

const USAGE = 'Usage: npm run fuzz [-- --seed N] [--requests N] [--first N] [--database sqlite|postgres]'
const AT_ONCE = 16
const SACRIFICE_EVERY = 1_000
/** Id tokens are valid for an hour. */
const RENEW_EVERY_MS = 20 * 60_000
const REPORT_EVERY = 20_000
const MOST_GROWTH = 1.5
const MOST_FAULTS = 10

function readArguments() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      requests: { type: 'string', default: '20000' },
      first: { type: 'string', default: '0' },
      database: { type: 'string', default: 'sqlite' },
    },
  })
  const [seed, count, first] = [values.seed, values.requests, values.first].map(Number)
  const isRight = [seed, count, first].every(Number.isSafeInteger) && ['sqlite', 'postgres'].includes(values.database)
  return isRight ? { seed: seed ?? 0, count: count ?? 0, first: first ?? 0, database: values.database } : undefined
}

/** Accepts all mails, and remembers the last code for each address. */
async function startMailSink() {
  const codes = new Map<string, string>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      const keep = (source: string): void => {
        const [code] = /^\d{6}$/mu.exec(source) ?? []
        for (const { address } of envelope.rcptTo) if (code !== undefined) codes.set(address, code)
        done()
      }
      text(stream).then(keep, done)
    },
  })
  server.on('error', () => undefined)
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  return { url: `smtp://127.0.0.1:${port}`, codes, close: () => server.close(() => undefined) }
}

async function run({ seed, count, first, database }: NonNullable<ReturnType<typeof readArguments>>): Promise<number> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const mail = await startMailSink()
    closers.push(async () => mail.close())
    const dataDir = await mkdtemp(join(tmpdir(), 'marquee-fuzz-'))
    closers.push(async () => await rm(dataDir, { recursive: true, force: true }))
    const postgres = database === 'postgres' ? await startOwnPostgres() : undefined
    if (postgres) closers.push(postgres.remove)
    const catalogue = await startCatalogueStandIn()
    closers.push(catalogue.stop)
    const inspector = await freePort()
    const server = await startServer({
      NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}`,
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      ...(postgres && { DATABASE_URL: postgres.url }),
      ...catalogue.settings,
      SMTP_URL: mail.url,
      MAIL_FROM: 'Marquee <marquee@example.org>',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ALLOW_GUESTS: 'on',
      MEDIA_SERVERS: '127.0.0.0/8',
      WATCH_PROVIDERS: 'tmdb',
      DEVICE_TRACKING: 'on',
      OAUTH_CLIENTS: JSON.stringify(TOOLS),
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'marquee',
      IDENTITY_ACCESS_KEY_ID: 'key-of-another-server',
      IDENTITY_SECRET_ACCESS_KEY: 'a-secret-of-thirty-two-characters',
    })
    closers.push(async () => await server.end('SIGTERM'))
    // Also if this process is stopped.
    process.once('exit', () => void server.end('SIGTERM'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
    const { send, close } = overHttp(server.url, AT_ONCE)
    closers.push(async () => close())

    const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as OpenApiDocument
    const knowledge = createKnowledge()
    const users = await signUpUsers({ send, codeOf: (email) => mail.codes.get(email) }, knowledge)
    await users.sacrifice()
    const attempt = createFuzz({ send, knowledge, idTokens: users.idTokens })
    const requests = requestsOf({ document, users: users.idTokens().length }, { seed, first, count })

    const statuses = new Map<string, number>()
    const faults: string[] = []
    const warmUp = Math.min(REPORT_EVERY, Math.floor(count / 10))
    const startedAt = Date.now()
    let renewedAt = startedAt
    let done = 0
    const report = async (what: string) => {
      const seconds = (Date.now() - startedAt) / 1_000
      const rss = Math.round((await memoryNow(inspector)).rss / 1_048_576)
      console.log(`${what} after ${Math.round(seconds)} s, ${Math.round(done / seconds)} a second, ${rss} MiB`)
    }
    const note = (number: number, { sent, status }: Outcome, fault: string) => {
      faults.push(fault)
      const again = `npm run fuzz -- --seed ${seed} --first ${number} --requests 1 --database ${database}`
      console.error(
        `\nRequest ${number} ${fault} (${status})\n${again}\n${asCurl(sent, server.url).slice(0, 20_000)}\n`,
      )
    }
    /** Sends requests over many connections, until the given number is done. */
    const until = async (goal: number) => {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (done < goal && faults.length < MOST_FAULTS) {
            const { value } = requests.next()
            if (!value) return
            const nth = (done += 1)
            const outcome = await attempt(value.request)
            const kind = outcome.status === undefined ? 'cut' : String(outcome.status)
            statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
            if (outcome.fault !== undefined) note(value.number, outcome, outcome.fault)
            if (nth % SACRIFICE_EVERY === 0) await users.sacrifice()
            if (nth % REPORT_EVERY === 0) await report(`${nth} requests`)
          }
        }),
      )
      if (Date.now() - renewedAt < RENEW_EVERY_MS) return
      await users.renew()
      renewedAt = Date.now()
    }

    console.log(`Seed ${seed}, ${count} requests from number ${first}, ${database}, ${server.url}`)
    await until(warmUp)
    const before = await memoryOf(inspector)
    while (done < count && faults.length < MOST_FAULTS) await until(Math.min(done + SACRIFICE_EVERY, count))
    const after = await memoryOf(inspector)
    await report(`${done} requests`)

    console.log(
      [...statuses]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([status, times]) => `${status}: ${times}`)
        .join(', '),
    )
    for (const kind of ['rss', 'heapTotal', 'heapUsed', 'external'] as const) {
      const [start, end] = [before[kind], after[kind]].map((bytes) => Math.round(bytes / 1_048_576))
      console.log(`${kind}: ${start} MiB after ${warmUp} requests, ${end} MiB at the end`)
    }
    const growth = after.rss / before.rss
    if (growth > MOST_GROWTH) faults.push(`Memory grew to ${growth.toFixed(2)} times its start`)
    const errors = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"level":'))
    if (errors.length > 0) faults.push(`The server logged ${errors.length} errors, first ${errors[0]}`)
    for (const fault of faults) console.error(fault)
    return faults.length === 0 ? 0 : 1
  } finally {
    for (const closer of closers.toReversed()) await closer()
  }
}

const given = readArguments()
if (given) {
  process.exitCode = await run(given)
} else {
  console.error(USAGE)
  process.exitCode = 2
}
