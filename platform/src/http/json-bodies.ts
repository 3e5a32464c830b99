import type { IncomingMessage } from 'node:http'

import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'

/** How long a body may take, plus the time for its length at this rate. A whole request has two minutes. */
const ARRIVES_WITHIN_MS = 15_000
const SLOWEST_BYTES_PER_MS = 64

class SlowBody extends Error {
  override readonly name = 'SlowBody'
  readonly statusCode = 408
}

/** Rejects content types other than JSON with 415. An empty body counts as no body. */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await readTextBody(request, payload)
    // Some clients send a JSON content type without a body.
    if (body === '') return undefined
    return await new Promise<unknown>((resolve, reject) => {
      void parse(request, body, (error, value) => {
        if (error) reject(error)
        else resolve(value)
      })
    })
  })
}

/**
 * Reads a body as text, up to the limit of its route. It copies into one buffer, because a list of one-byte chunks would
 * take a hundred times the memory.
 */
export async function readTextBody(
  { headers, routeOptions: { bodyLimit } }: Pick<FastifyRequest, 'headers' | 'routeOptions'>,
  payload: NodeJS.ReadableStream,
): Promise<string> {
  const declared = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if ((declared ?? 0) > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()

  const { promise: ended, resolve, reject } = Promise.withResolvers<undefined>()
  let bytes = Buffer.alloc(0)
  let length = 0
  const take = (piece: Buffer): void => {
    const next = length + piece.length
    if (next > bodyLimit) return reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    if (next > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(bodyLimit, Math.max(next, bytes.length * 2)))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    piece.copy(bytes, length)
    length = next
  }
  const end = (): void => {
    resolve(undefined)
  }
  const deadline = setTimeout(
    () => {
      reject(new SlowBody('The body did not arrive in time'))
    },
    ARRIVES_WITHIN_MS + (declared ?? bodyLimit) / SLOWEST_BYTES_PER_MS,
  )
  payload.on('data', take).on('end', end).on('error', reject)
  try {
    await ended
  } catch (error) {
    throw error instanceof Error && !('statusCode' in error) ? Object.assign(error, { statusCode: 400 }) : error
  } finally {
    clearTimeout(deadline)
    payload.off('data', take).off('end', end).off('error', reject)
  }
  if (declared !== undefined && declared !== length) throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
  return bytes.toString('utf8', 0, length)
}
