import { pino } from 'pino'
import { expect, test } from 'vitest'

import { createHttp } from './kernel.ts'

async function seenAs(trustProxy: readonly string[] | undefined, from: string): Promise<unknown> {
  const app = createHttp({
    logger: pino({ level: 'silent' }),
    bodyLimit: 1_000,
    problemFor: () => ({ type: 'X', message: 'x' }),
    ...(trustProxy && { trustProxy }),
  })
  app.get('/', async (request) => await Promise.resolve({ ip: request.ip, protocol: request.protocol }))
  const answer = await app.inject({
    url: '/',
    remoteAddress: from,
    headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.7', 'x-forwarded-proto': 'https' },
  })
  await app.close()
  return answer.json()
}

// Evidence: asvs-4.1.3, rfc9700-4.13-a
test('forwarding headers are ignored without a trusted proxy', async () => {
  expect(await seenAs(undefined, '10.0.0.1')).toEqual({ ip: '10.0.0.1', protocol: 'http' })
})

// Evidence: asvs-15.3.4, asvs-4.1.3, rfc9700-4.13-a
test('a trusted proxy names the client, and headers that the client sent itself are ignored', async () => {
  expect(await seenAs(['10.0.0.0/8'], '10.0.0.1')).toEqual({ ip: '203.0.113.7', protocol: 'https' })
})

// Evidence: asvs-15.3.4, asvs-4.1.3, rfc9700-4.13-a
test('forwarding headers of a client that bypasses the proxy are ignored', async () => {
  expect(await seenAs(['10.0.0.1'], '192.0.2.9')).toEqual({ ip: '192.0.2.9', protocol: 'http' })
})
