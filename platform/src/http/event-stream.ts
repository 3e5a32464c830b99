import { PassThrough } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A reader that is this far behind is disconnected; it reconnects and fetches what it missed. */
const MAX_BACKLOG_BYTES = 64 * 1024
const RECONNECT_MS = 2_000
const LONGEST_TIMER_MS = 2 ** 31 - 1

export type EventStream = {
  /** Sends one event; `data` is one line. */
  send: (data: string) => void
  end: () => void
}

export type EventStreamOptions = {
  /** The interval of the heartbeats. */
  heartbeatMs: number
  /** The server ends the stream after this time. */
  lifetimeMs: number
  /** Called at every heartbeat; the stream ends if it rejects. */
  confirm: () => Promise<void>
  /** Called once, however the stream ends. */
  onClose: () => void
}

export type EventStreams = {
  /** Answers a request with server-sent events. */
  open: (request: FastifyRequest, reply: FastifyReply, options: EventStreamOptions) => EventStream
}

/** The event streams of a server. They end when the server begins to close, so that closing does not wait for readers. */
export function eventStreamsOn(app: FastifyInstance): EventStreams {
  const open = new Set<PassThrough>()
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    for (const body of open) body.end()
  })
  return {
    open: (request, reply, options) => {
      const body = new PassThrough()
      open.add(body)
      body.once('close', () => open.delete(body))
      const opened = stream(body, request, reply, options)
      // The stream has sent the time to reconnect; the reader will reach another process.
      if (isClosing) opened.end()
      return opened
    },
  }
}

function stream(
  body: PassThrough,
  request: FastifyRequest,
  reply: FastifyReply,
  { heartbeatMs, lifetimeMs, confirm, onClose }: EventStreamOptions,
): EventStream {
  const end = () => {
    body.end()
  }
  const write = (text: string) => {
    if (body.writableEnded || body.destroyed) return
    body.write(text)
    if (body.readableLength + body.writableLength > MAX_BACKLOG_BYTES) body.destroy()
  }
  const heartbeat = setInterval(() => {
    write(': alive\n\n')
    confirm().catch(end)
  }, heartbeatMs)
  const lifetime = setTimeout(end, Math.min(Math.max(lifetimeMs, 0), LONGEST_TIMER_MS))
  body.once('close', () => {
    clearInterval(heartbeat)
    clearTimeout(lifetime)
    onClose()
  })
  write(`retry: ${RECONNECT_MS}\n: open\n\n`)
  if (request.method === 'HEAD') end()
  void reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(body)
  return {
    send: (data) => {
      write(`data: ${data}\n\n`)
    },
    end,
  }
}
