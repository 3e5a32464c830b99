import { once } from 'node:events'
import { WITHIN } from '../testing/within.ts'
import { type AddressInfo, createServer, type Server } from 'node:net'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { systemClock } from '../runtime/clock.ts'
import { createLogger } from '../runtime/logger.ts'
import { systemRandom } from '../runtime/random.ts'
import { anyDatabase } from '../testing/each-database.ts'
import { mailMigrations } from './migrations/index.ts'
import { startMailQueue } from './queue.ts'
import { smtpTransport } from './smtp-transport.ts'

const ADDRESS = 'zoe.secret@example.com'
const CODE = '271828'

/** A mail server that rejects every mail and repeats the address in its reply, as real ones do. */
function refusingServer(): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 mail.example\r\n')
    socket.on('data', (data) => {
      const line = data.toString()
      if (line.startsWith('RCPT')) socket.write(`550 5.1.1 <${ADDRESS}>: no such user, mail with ${CODE} refused\r\n`)
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
      else socket.write('250 ok\r\n')
    })
  })
}

anyDatabase({ mail: mailMigrations }, (theDatabase) => {
  const server = refusingServer()
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    server.close()
  })

  test('a rejected delivery is logged with its code and command but without address or text', async () => {
    const lines: string[] = []
    const logger = createLogger('trace', { destination: { write: (line: string) => void lines.push(line) } })
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const transport = smtpTransport({ url, from: 'Marquee <no-reply@marquee.example>' })
    const database = theDatabase()
    const queue = startMailQueue({ database, transport, clock: systemClock, random: systemRandom, logger })
    const text = `Your code:\n\n${CODE}\n`
    await database.transaction(async (trx) => {
      await queue.enqueue(trx, { to: ADDRESS, subject: `Code ${CODE}`, text, html: `<p>${CODE}</p>` })
    })

    queue.wake()
    await vi.waitFor(() => expect(lines).toHaveLength(1), WITHIN)
    await queue.stop()

    expect(lines.join('')).not.toContain(ADDRESS)
    expect(lines.join('')).not.toContain(CODE)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'a mail could not be delivered',
      attempts: 1,
      fault: { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' },
    })
  })
})
