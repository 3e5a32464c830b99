import type { IncomingMessage } from 'node:http'

import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'

import type { BodyBytes } from './body-bytes.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyContextConfig {
    /** Whether the handler gets the bytes of the body. */
    rawBody?: boolean
  }
}

/** How long a body may take, plus the time for its length at this rate. A whole request has two minutes. */
const ARRIVES_WITHIN_MS = 15_000
const SLOWEST_BYTES_PER_MS = 64
/**
 * How many bytes must arrive in each such period until the body ends, so that a large part of a body does not stay in
 * memory.
 */
const LEAST_BYTES = 128 * 1024
/** Bodies are kept in blocks: a single buffer that grows would be there twice while it is copied. */
const BLOCK_BYTES = 64 * 1024

class SlowBody extends Error {
  override readonly name = 'SlowBody'
  readonly statusCode = 408
}

type BodyRequest = Pick<FastifyRequest, 'headers' | 'routeOptions'>

export type LargeBodies = {
  /**
   * The bytes of the body of a request. Called if it has more than a block. They are freed when the reply is sent. `refuse` ends
   * the body while it arrives.
   */
  readonly open: (request: FastifyRequest, refuse: () => void) => BodyBytes
  /** The error if there is no room for more. */
  readonly noRoom: () => Error
}

/**
 * Rejects content types other than JSON with 415. An empty body counts as no body. A route with `rawBody` in its
 * configuration gets the bytes.
 */
export function acceptOnlyJson(app: FastifyInstance, large?: LargeBodies): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBytes(
      { headers: request.headers, bodyLimit: request.routeOptions.bodyLimit },
      payload,
      large && roomFor(request, large),
    )
    if (request.routeOptions.config.rawBody === true) return bytes
    // Some clients send a JSON content type without a body.
    if (bytes.length === 0) return undefined
    return await new Promise<unknown>((resolve, reject) => {
      void parse(request, textOf(bytes), (error, value) => {
        if (error) reject(error)
        else resolve(value)
      })
    })
  })
}

/** Room for the bytes of a body while it is read. */
type Room = {
  /** @throws if there is none. */
  readonly make: (bytes: number, refuse: (error: Error) => void) => void
  readonly complete: () => void
}

/** Counts the bytes of a body beyond its first block. */
function roomFor(request: FastifyRequest, { open, noRoom }: LargeBodies): Room {
  let held: BodyBytes | undefined
  let isFirst = true
  return {
    make: (bytes, refuse) => {
      if (isFirst) {
        isFirst = false
        return
      }
      held ??= open(request, () => {
        refuse(noRoom())
      })
      if (!held.take(bytes)) throw noRoom()
    },
    complete: () => held?.complete(),
  }
}

/** Reads a body as text, up to the limit of its route. */
export async function readTextBody(request: BodyRequest, payload: NodeJS.ReadableStream): Promise<string> {
  return await readTextUpTo(request.routeOptions.bodyLimit, request, payload)
}

/** Reads a body as text, up to a limit that is below that of its route. */
export async function readTextUpTo(
  bodyLimit: number,
  { headers }: Pick<BodyRequest, 'headers'>,
  payload: NodeJS.ReadableStream,
): Promise<string> {
  return textOf(await readBytes({ headers, bodyLimit }, payload))
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  free([bytes])
  return text
}

const tooLarge = (): Error => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
const wrongLength = (): Error => new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()

/** Copies into blocks, because a list of one-byte chunks would take a hundred times the memory. */
async function readBytes(
  { headers, bodyLimit }: Pick<BodyRequest, 'headers'> & { readonly bodyLimit: number },
  payload: NodeJS.ReadableStream,
  room?: Room,
): Promise<Buffer> {
  const declared = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if ((declared ?? 0) > bodyLimit) throw tooLarge()
  const most = declared ?? bodyLimit

  const { promise: ended, resolve, reject } = Promise.withResolvers<undefined>()
  const blocks: Buffer[] = []
  let unused = Buffer.alloc(0)
  let length = 0
  const addBlock = (): Buffer<ArrayBuffer> => {
    // Most bodies are much shorter than a block.
    const bytes = Math.min(BLOCK_BYTES, most - length)
    room?.make(bytes, reject)
    const block = Buffer.allocUnsafeSlow(bytes)
    blocks.push(block)
    return block
  }
  const keep = (piece: Buffer): void => {
    for (let from = 0; from < piece.length;) {
      if (unused.length === 0) unused = addBlock()
      const copied = piece.copy(unused, 0, from)
      unused = unused.subarray(copied)
      from += copied
      length += copied
    }
  }
  const take = (piece: Buffer): void => {
    if (length + piece.length > most) return reject(declared === undefined ? tooLarge() : wrongLength())
    try {
      keep(piece)
    } catch (error) {
      reject(error)
    }
  }
  const end = (): void => {
    resolve(undefined)
  }
  const stopWatching = refuseIfSlow({ length: declared ?? bodyLimit, arrived: () => length, reject })
  payload.on('data', take).on('end', end).on('error', reject)
  try {
    await ended
    if (declared !== undefined && declared !== length) throw wrongLength()
    room?.complete()
  } catch (error) {
    free(blocks)
    throw error instanceof Error && !hasStatus(error) ? Object.assign(error, { statusCode: 400 }) : error
  } finally {
    stopWatching()
    payload.off('data', take).off('end', end).off('error', reject)
  }
  const [first = Buffer.alloc(0)] = blocks
  return blocks.length <= 1 ? first.subarray(0, length) : joined(blocks, length)
}

function joined(blocks: readonly Buffer[], length: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(length)
  for (const [nth, block] of blocks.entries()) {
    block.copy(whole, nth * BLOCK_BYTES)
    free([block])
  }
  return whole
}

/** They would otherwise stay in memory until the next collection of garbage. */
function free(blocks: readonly Buffer[]): void {
  for (const { buffer } of blocks) (buffer as ArrayBuffer).transfer(0)
}

/** Refuses a body that does not arrive in the time for its length, or whose bytes arrive too slowly for a while. */
function refuseIfSlow(body: { length: number; arrived: () => number; reject: (error: Error) => void }): () => void {
  const refuse = (): void => {
    body.reject(new SlowBody('The body did not arrive in time'))
  }
  const deadline = setTimeout(refuse, ARRIVES_WITHIN_MS + body.length / SLOWEST_BYTES_PER_MS)
  let before = 0
  let timer = setTimeout(watch, ARRIVES_WITHIN_MS)
  function watch(): void {
    // A small body has its deadline only.
    if (body.length > LEAST_BYTES && body.arrived() - before < LEAST_BYTES) return refuse()
    before = body.arrived()
    timer = setTimeout(watch, ARRIVES_WITHIN_MS)
  }
  return () => {
    clearTimeout(deadline)
    clearTimeout(timer)
  }
}

/** Whether the error itself says how to answer it. */
function hasStatus(error: Error): boolean {
  return 'statusCode' in error || 'key' in error
}
