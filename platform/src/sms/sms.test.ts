import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import type { MailMessage } from '../mail/message.ts'
import { folderSms } from './folder-sms.ts'
import { bySms, mailAndSms } from './sms-message.ts'
import { webhookSms } from './webhook-sms.ts'

const MESSAGE = { to: '+4915112345678', text: '123456 is your code' }

async function aGateway(status: number) {
  const received: unknown[] = []
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8')
    })
    request.on('end', () => {
      received.push({
        method: request.method,
        key: request.headers['idempotency-key'],
        body: JSON.parse(body) as unknown,
      })
      reply.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.close()
  })
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send` }
}

test('a text message is posted to the gateway as JSON, with its id as idempotency key', async () => {
  const gateway = await aGateway(202)

  await webhookSms(gateway).deliver('id-1', MESSAGE)

  expect(gateway.received).toEqual([{ method: 'POST', key: 'id-1', body: MESSAGE }])
})

test('a rejection by the gateway fails the delivery', async () => {
  const gateway = await aGateway(503)

  await expect(webhookSms(gateway).deliver('id-1', MESSAGE)).rejects.toThrow('503')
})

test('a text message is written to a file and the terminal if there is no gateway', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-sms-'))
  onTestFinished(async () => {
    await rm(folder, { recursive: true })
  })
  const printed: string[] = []

  await folderSms({ folder, print: (text) => printed.push(text) }).deliver('id-1', MESSAGE)

  expect(await readdir(folder)).toEqual(['id-1.sms.txt'])
  expect(await readFile(join(folder, 'id-1.sms.txt'), 'utf8')).toContain(MESSAGE.text)
  expect(printed.join('')).toContain(MESSAGE.text)
})

test('the outbox sends text messages by SMS and mails by mail', async () => {
  const mails: MailMessage[] = []
  const texts: unknown[] = []
  const transport = mailAndSms(
    { deliver: async (_id, mail) => void mails.push(mail) },
    { deliver: async (_id, text) => void texts.push(text) },
  )
  const mail = { to: 'ben@example.org', subject: 'Hello', text: 'Hello', html: '' }

  await transport.deliver('1', mail)
  await transport.deliver('2', bySms(MESSAGE))

  expect({ mails, texts }).toEqual({ mails: [mail], texts: [MESSAGE] })
})
