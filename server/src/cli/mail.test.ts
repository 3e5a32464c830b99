import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { freePort } from '@marquee/platform/testing/free-port'

import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { operate } from '../testing/run-marquee.ts'

let smtp: MailServer
let DATA_DIR: string

beforeAll(async () => {
  smtp = await startMailServer()
  DATA_DIR = await mkdtemp(join(tmpdir(), 'marquee-mail-'))
})
afterAll(async () => {
  await smtp.close()
  await rm(DATA_DIR, { recursive: true, force: true })
})

const send = async (settings: Record<string, string>, ...args: string[]) =>
  await operate(['mail', ...args], { DATA_DIR, PUBLIC_URL: 'https://films.example.org', ...settings })

test('a test mail goes through the mail server of the settings', async () => {
  const SMTP = { SMTP_URL: smtp.url, MAIL_FROM: 'Marquee <marquee@example.org>' }

  const { code, output } = await send(SMTP, 'test', 'ana@example.org')

  expect([code, output]).toEqual([0, 'The mail server has accepted a mail to ana@example.org.\n'])
  expect(await smtp.findIn('ana@example.org', /^Mail from (https:\S+) works\.$/mu)).toBe('https://films.example.org')
})

test('a mail server that cannot be reached is reported', async () => {
  const SMTP_URL = `smtp://127.0.0.1:${await freePort()}`

  const { code, output } = await send({ SMTP_URL, MAIL_FROM: 'marquee@example.org' }, 'test', 'ana@example.org')

  expect(code).toBe(1)
  expect(output).toMatch(/^The mail was not sent: .*ECONNREFUSED/u)
})

test('the command reports that the mail stays in the outbox folder if no mail server is set', async () => {
  const { code, output } = await send({}, 'test', 'ana@example.org')

  expect(code).toBe(0)
  expect(output).toContain('No mail server is set, so the mail is in the outbox folder only. Set SMTP_URL.')
})

test.each([[[]], [['test']], [['test', 'ana']], [['test', 'ana@example.org', 'ben@example.org']]])(
  'the arguments %j print the usage',
  async (args) => {
    expect((await send({}, ...args)).code).toBe(2)
  },
)
