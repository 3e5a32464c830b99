import Fastify from 'fastify'
import { expect, test } from 'vitest'

import { addSecurityHeaders } from './security-headers.ts'

// Evidence: asvs-3.2.1, asvs-3.4.1, asvs-3.4.3, asvs-3.4.4, asvs-3.4.5, asvs-3.4.6, oidc-3.1.2.3-a, rfc9700-4.16-a, rfc9700-4.2.4-a
test('all replies have the same security headers, whatever their status', async () => {
  const app = Fastify()
  await addSecurityHeaders(app, { publicUrl: 'https://marquee.example', origins: ['https://pool.example'] })
  app.get('/', async () => await Promise.resolve('Hello'))

  const replies = [await app.inject('/'), await app.inject('/'), await app.inject('/nowhere')]

  for (const { headers } of replies) {
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    expect(String(headers['content-security-policy']).split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "connect-src 'self' https://marquee.example https://pool.example",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    )
  }
  await app.close()
})

test.each([
  [false, "img-src 'self' https://marquee.example data: blob:;"],
  [true, "img-src 'self' https://marquee.example data: blob: https: http:;"],
])(
  'the content security policy with showsRemoteImages %s has the image sources "%s"',
  async (showsRemoteImages, policy) => {
    const app = Fastify()
    await addSecurityHeaders(app, { publicUrl: 'https://marquee.example', showsRemoteImages })

    const { headers } = await app.inject('/')
    await app.close()

    expect(headers['content-security-policy']).toContain(policy)
  },
)
