import { PassThrough } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

/** A reader who is this far behind is cut off; it connects again and fetches what it missed. */
const MAX_BACKLOG_BYTES = 64 * 1024
const RECONNECT_MS = 2_000

export type EventStream = {
  /** Sends one event; `data` is one line. */
  send: (data: string) => void
  end: () => void
}

/**
 * Answers a request with server-sent events. The stream shows every `heartbeatMs` that it is alive, ends by itself after
 * `lifetimeMs`, and calls `onClose` once, however it ends.
 */
export function openEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  options: { heartbeatMs: number; lifetimeMs: number; onClose: () => void },
): EventStream {
  const body = new PassThrough()
  const write = (text: string) => {
    if (body.writableEnded) return
    body.write(text)
    if (body.readableLength + body.writableLength > MAX_BACKLOG_BYTES) body.destroy()
  }
  const heartbeat = setInterval(write, options.heartbeatMs, ': alive\n\n')
  const lifetime = setTimeout(() => body.end(), Math.min(Math.max(options.lifetimeMs, 0), 2 ** 31 - 1))
  body.once('close', () => {
    clearInterval(heartbeat)
    clearTimeout(lifetime)
    options.onClose()
  })
  request.raw.once('close', () => body.destroy())
  write(`retry: ${RECONNECT_MS}\n: open\n\n`)
  void reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(body)
  return {
    send: (data) => {
      write(`data: ${data}\n\n`)
    },
    end: () => {
      body.end()
    },
  }
}
