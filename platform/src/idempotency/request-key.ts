import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

import type { FastifyRequest } from 'fastify'

import { InvalidRequest } from '../http/problem.ts'
import type { Random } from '../runtime/random.ts'
import { open, seal } from '../runtime/sealed-box.ts'
import type { KeyRow, StoredReply } from './store.ts'

const HEADER = 'Idempotency-Key'
const KEY = /^[\u0021-\u007E]{16,128}$/u
const SECRET_BYTES = 32

/** An `Idempotency-Key` with its request: what is stored of them, and how the reply is encrypted. */
export type RequestKey = {
  readonly row: KeyRow
  readonly requestMac: Buffer
  seal: (reply: unknown, random: Random) => Buffer
  /** @throws {InvalidRequest} if the key came with another request. */
  open: (stored: StoredReply) => unknown
}

/**
 * The key of a request, if any. It is valid for one user and one endpoint. Everything that is stored is derived from it,
 * so the reply cannot be read without it. Fields of the body in `uncompared` do not make another request.
 * @throws {InvalidRequest} if the header is not 16 to 128 visible ASCII characters.
 */
export function readRequestKey(
  request: FastifyRequest,
  userId: string,
  uncompared: readonly string[] = [],
): RequestKey | undefined {
  const key = request.headers[HEADER.toLowerCase()]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new InvalidRequest(HEADER, 'must be 16 to 128 visible ASCII characters')
  }
  const endpoint = `${request.method} ${request.routeOptions.url ?? ''}`
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', key, `${userId} ${endpoint}`, `idempotency ${purpose}`, SECRET_BYTES))
  const keyHash = derive('lookup')
  const sealingKey = derive('reply')
  const context = keyHash.toString('base64')
  const requestMac = createHmac('sha256', derive('request'))
    .update(
      JSON.stringify([
        request.params,
        request.query,
        Buffer.isBuffer(request.body) ? 'bytes' : comparedOf(request.body, uncompared),
      ]),
    )
    .update(Buffer.isBuffer(request.body) ? request.body : '')
    .digest()
  return {
    row: { userId, endpoint, keyHash },
    requestMac,
    seal: (reply, random) => seal(sealingKey, context, Buffer.from(JSON.stringify(reply)), random),
    open: (stored) => {
      if (!timingSafeEqual(stored.requestMac, requestMac)) {
        throw new InvalidRequest(HEADER, 'this key has come with another request before')
      }
      const reply = open(sealingKey, context, stored.replyBox)
      if (!reply) throw new Error('A stored reply cannot be opened with the key it was found by')
      return JSON.parse(reply.toString()) as unknown
    },
  }
}

function comparedOf(body: unknown, uncompared: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([field]) => !uncompared.includes(field)))
}
