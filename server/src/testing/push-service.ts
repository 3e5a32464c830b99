import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'

import { expect, vi } from 'vitest'

import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { WITHIN } from '@marquee/platform/testing/within'

const CURVE = 'prime256v1'

/** A message as a device reads it, with what the push service could see. */
type Received = { message: Record<string, unknown>; headers: Record<string, string>; path: string }

/** The keys of a browser, which decrypt what was encrypted for it (RFC 8291). */
function aBrowser() {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    decrypt: (body: Buffer): string => {
      const salt = body.subarray(0, 16)
      const keyLength = body.readUInt8(20)
      const senderKey = body.subarray(21, 21 + keyLength)
      const content = body.subarray(21 + keyLength)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey])
      const key = Buffer.from(hkdfSync('sha256', pair.computeSecret(senderKey), auth, info, 32))
      const derived = (use: string, length: number) =>
        Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${use}\0`, length))
      const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
      decipher.setAuthTag(content.subarray(-16))
      const record = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()])
      // The last record ends with a 2 and zeros.
      return record.subarray(0, record.lastIndexOf(2)).toString()
    },
  }
}

/** A push service of one browser. It answers with a status that a test can change; `hangs` never answers. */
export async function aPushService(name = 'push.example') {
  const browser = aBrowser()
  let answer: number | 'hangs' = 201
  const received: Received[] = []
  const server = await aWebServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const message = JSON.parse(browser.decrypt(Buffer.concat(pieces))) as Record<string, unknown>
      received.push({ message, headers: request.headers as Record<string, string>, path: request.url ?? '' })
      if (answer !== 'hangs') response.writeHead(answer).end()
    })
  })
  const origin = `http://${name}:${server.port}`
  return {
    origin,
    received,
    subscription: (id = 'one') => ({ endpoint: `${origin}/send/${id}`, ...browser.keys }),
    titles: () => received.map(({ message }) => message['title']),
    answer: (next: number | 'hangs') => {
      answer = next
    },
    waitFor: async (count: number) => {
      await vi.waitFor(() => expect(received).toHaveLength(count), WITHIN)
    },
  }
}

/** The claims of the token in `Authorization` (RFC 8292), after its signature was checked, and the key. */
export function readVapid(authorization: string | undefined): { key: string; claims: Record<string, unknown> } {
  const [, token = '', key = ''] = /^vapid t=(\S+), ?k=(\S+)$/u.exec(authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url')) as [
    string,
    string,
  ]
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) throw new Error('The signature is wrong')
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown> }
}
