import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'
import { afterAll, beforeAll, test, type TestContext } from 'vitest'

import type { Invitation } from '@marquee/contract/entities/invitation'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { openDatabase } from '@marquee/platform/database/open'
import { WAITING_MAILS } from '@marquee/platform/mail/store'
import { countWaiting } from '@marquee/platform/queue/store'
import { ANY_ENGINE } from '@marquee/platform/testing/each-database'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'
import { freePort } from '@marquee/platform/testing/free-port'

import { clientOf } from './testing/api-client.ts'
import { type MailServer, startMailServer } from './testing/mail-server.ts'
import { type ServerProcess, startServer } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'

// Each test starts real processes and waits until a dead one's claim lapses, so it takes long.
const ANAS_ADDRESS = 'ana@example.org'
const BENS_ADDRESS = 'ben@example.org'
const CODE = /^(\d{6})$/mu
const LINK = /^(\S+\/watchlists\/invitation\/accept\?token=\S+)$/mu

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-invitations-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

type Engine = 'SQLite' | 'PostgreSQL'
type Settings = { PORT: string; DATA_DIR: string; DATABASE_URL?: string }

/** A mail server, and a server that sends through it. Both end with the test. */
async function aStage({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, engine: Engine) {
  const smtp = await startMailServer()
  onTestFinished(smtp.close)
  const settings: Settings = {
    PORT: String(await freePort()),
    DATA_DIR: await mkdtemp(join(folder, 'data-')),
    ...(engine === 'PostgreSQL' && { DATABASE_URL: await freshPostgresUrl() }),
  }
  const start = async (): Promise<ServerProcess> => {
    const server = await startServer({ ...settings, SMTP_URL: smtp.url, MAIL_FROM: 'Marquee <marquee@example.org>' })
    onTestFinished(async () => void (await server.end('SIGKILL')))
    return server
  }
  return { smtp, settings, start }
}

/** Ana with a watchlist, and Ben. Both signed up with the codes from their mails. */
async function signUpBoth(server: ServerProcess, smtp: MailServer, watchlistName: string) {
  const codeFor = async (email: string) => await smtp.findIn(email, CODE)
  const ana = await signUp({ url: server.url, name: 'ana', codeFor })
  const ben = await signUp({ url: server.url, name: 'ben', codeFor })
  const { body: watchlist } = await clientOf(server, ana)<Watchlist>('POST', '/watchlists', { name: watchlistName })
  return { ana, ben, watchlist }
}

async function inviteBen(server: ServerProcess, ana: string, watchlist: Watchlist) {
  const path = `/watchlists/${watchlist.id}/invitations`
  return await clientOf(server, ana)<Invitation>('POST', path, { username: 'Ben' })
}

/** Accepts as Ben with nothing but the link. */
async function followLink(server: ServerProcess, ben: string, link: string) {
  const token = new URL(link).searchParams.get('token')
  return await clientOf(server, ben)<Watchlist>('POST', '/invitations/acceptance', { token })
}

/** Whether a mail is in the outbox of a server that is not running. */
async function isMailWaiting({ DATA_DIR, DATABASE_URL }: Settings): Promise<boolean> {
  const database = await openDatabase({ url: DATABASE_URL, dataDir: DATA_DIR }, pino({ level: 'silent' }))
  const count = await countWaiting(database.read, WAITING_MAILS)
  await database.close()
  return count > 0
}

test.concurrent.for(ANY_ENGINE)(
  'an invitation is mailed and accepted on %s, and a hostile watchlist name adds no header, recipient or link',
  async (engine, { expect, onTestFinished }) => {
    const { smtp, settings, start } = await aStage({ onTestFinished }, engine)
    const server = await start()
    const name =
      'Películas\r\nBcc: eve@example.org\r\nX-Evil: 1\r\n\r\nhttps://evil.example/?token=y\r\n.\r\nRCPT TO:<eve@example.org>'
    const { ana, ben, watchlist } = await signUpBoth(server, smtp, name)

    const invited = await inviteBen(server, ana, watchlist)
    const link = await smtp.findIn(BENS_ADDRESS, LINK)
    const accepted = await followLink(server, ben, link)
    const again = await followLink(server, ben, link)

    expect(link).toBe(`${server.url}/watchlists/invitation/accept?token=${invited.body.token}`)
    expect([invited.status, accepted.status, again.status]).toEqual([201, 200, 200])
    expect(accepted.body.members?.map(({ username }) => username)).toEqual(['ana', 'ben'])
    const [code, mail] = smtp.mailsTo(BENS_ADDRESS)
    expect(mail?.recipients).toEqual([BENS_ADDRESS])
    expect([...(mail?.headers.keys() ?? [])]).toEqual([...(code?.headers.keys() ?? [])])
    expect(mail?.headers.get('to')).toBe(BENS_ADDRESS)
    expect(mail?.text).toContain('ana invites you to the watchlist "Películas')
    expect(mail?.text.split('\n').filter((line) => line.startsWith('http'))).toEqual([link])
    expect(smtp.mailsTo('eve@example.org')).toEqual([])
    expect(smtp.mailsTo(ANAS_ADDRESS)).toHaveLength(1)
    await server.end('SIGTERM')
    expect(await isMailWaiting(settings)).toBe(false)
  },
)

test.concurrent.for(
  ANY_ENGINE.flatMap((engine) =>
    (['holds the connection', 'holds the message', 'refuses'] as const).map((mood) => [engine, mood] as const),
  ),
)(
  'an invitation on %s is mailed once after a restart if its server is killed while the mail server %s',
  async ([engine, mood], { expect, onTestFinished }) => {
    const { smtp, settings, start } = await aStage({ onTestFinished }, engine)
    const first = await start()
    const { ana, ben, watchlist } = await signUpBoth(first, smtp, 'Friday films')

    const isTrying = smtp.become(mood)
    const invited = await inviteBen(first, ana, watchlist)
    await isTrying
    await first.end('SIGKILL')
    const wasWaiting = await isMailWaiting(settings)
    const mailsBefore = smtp.mailsTo(BENS_ADDRESS).length
    const isTryingAgain = smtp.become('takes')
    const second = await start()
    await isTryingAgain
    const link = await smtp.findIn(BENS_ADDRESS, LINK)
    const accepted = await followLink(second, ben, link)
    await second.end('SIGTERM')

    expect([invited.status, wasWaiting, mailsBefore]).toEqual([201, true, 1])
    expect(link).toContain(invited.body.token)
    expect(accepted.body.members?.map(({ username }) => username)).toEqual(['ana', 'ben'])
    // One mail with his code and one with the invitation; the outbox is empty.
    expect(smtp.mailsTo(BENS_ADDRESS)).toHaveLength(2)
    expect(await isMailWaiting(settings)).toBe(false)
  },
)
