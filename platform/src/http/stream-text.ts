import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

import type { FastifyReply } from 'fastify'

const BUFFER_BYTES = 64 * 1024

/**
 * Sends a text that is made while it is sent, no faster than the reader takes it. It goes through one buffer: strings that
 * wait for a slow reader would live long enough to stay in memory until a large garbage collection, so that a long text would
 * take as much memory as it has characters.
 * @throws what the first piece throws, while the reply can still be another one.
 */
export async function streamText(reply: FastifyReply, pieces: AsyncGenerator<string>): Promise<void> {
  const first = await pieces.next()
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  try {
    if (first.done !== true && reply.request.method !== 'HEAD') await sendPieces(raw, first.value, pieces)
    raw.end()
  } catch (error) {
    if (!(error instanceof ReaderGone) && !raw.destroyed)
      reply.log.error({ err: error }, 'a reply could not be sent to its end')
    raw.destroy()
  } finally {
    await pieces.return(undefined)
  }
}

async function sendPieces(raw: ServerResponse, first: string, others: AsyncIterable<string>): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  const encoder = new TextEncoder()
  let used = 0

  async function flush(): Promise<void> {
    await written(raw, buffer.subarray(0, used))
    used = 0
  }

  async function add(piece: string): Promise<void> {
    let rest = piece
    for (;;) {
      const done = encoder.encodeInto(rest, buffer.subarray(used))
      used += done.written
      if (done.read === rest.length) return
      rest = rest.slice(done.read)
      await flush()
    }
  }

  await add(first)
  for await (const piece of others) await add(piece)
  await flush()
}

/** A reader that has gone needs no reply. The failed write may come before the connection is closed here. */
class ReaderGone extends Error {}

/** Settles when the system has taken the bytes. @throws {ReaderGone} if it cannot. */
async function written(raw: ServerResponse, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    raw.write(bytes, (error) => {
      if (error) reject(new ReaderGone(error.message, { cause: error }))
      else resolve()
    })
  })
}
