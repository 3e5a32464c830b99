import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A reader that is this far behind is disconnected; it reconnects and fetches what it missed. */
const MAX_BACKLOG_BYTES = 64 * 1024
const RECONNECT_MS = 2_000
/** How often heartbeats and lifetimes are looked at, for all streams at once. */
const ROUND_MS = 250
const OPENING = Buffer.from(`retry: ${RECONNECT_MS}\n: open\n\n`)
const HEARTBEAT = Buffer.from(': alive\n\n')

export type EventStream = {
  /** Sends one event. */
  send: (event: EventText) => void
  end: () => void
}

/** An event as it is sent. All streams share it. */
export type EventText = Buffer

/** `data` is one line. */
export function eventText(data: string): EventText {
  return Buffer.from(`data: ${data}\n\n`)
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
  const open = new Set<Stream>()
  let isClosing = false
  let timer: NodeJS.Timeout | undefined
  const round = (): void => {
    const now = performance.now()
    for (const stream of open) stream.look(now)
  }
  const forget = (stream: Stream): void => {
    open.delete(stream)
    if (open.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
  app.addHook('preClose', async () => {
    isClosing = true
    for (const stream of open) stream.end()
  })
  return {
    open: (request, reply, options) => {
      const response = begin(request, reply)
      const stream = new Stream(response, options, forget)
      open.add(stream)
      timer ??= setInterval(round, ROUND_MS)
      // The stream has sent the time to reconnect; the reader will reach another process.
      if (isClosing || request.method === 'HEAD') stream.end()
      return stream
    },
  }
}

/** Sends the head of the reply. What Fastify and the parser keep of it and of the request is not needed any more. */
function begin(request: FastifyRequest, reply: FastifyReply): ServerResponse {
  void reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .hijack()
  const { raw } = reply
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  // Alone, so that node:http keeps its head as one string and not as its parts.
  raw.flushHeaders()
  raw.write(OPENING)
  request.raw.rawHeaders.length = 0
  return raw
}

/** Thousands are open at once, so each holds little, and none has a timer. */
class Stream implements EventStream {
  readonly #response: ServerResponse
  readonly #options: EventStreamOptions
  #heartbeatAt: number
  readonly #endAt: number

  constructor(response: ServerResponse, options: EventStreamOptions, forget: (stream: Stream) => void) {
    const now = performance.now()
    this.#response = response
    this.#options = options
    this.#heartbeatAt = now + options.heartbeatMs
    this.#endAt = now + options.lifetimeMs
    response.once('close', () => {
      forget(this)
      options.onClose()
    })
  }

  send(event: EventText): void {
    if (this.#response.writableEnded || this.#response.destroyed) return
    this.#response.write(event)
    if (this.#response.writableLength > MAX_BACKLOG_BYTES) this.#response.destroy()
  }

  end(): void {
    this.#response.end()
  }

  /** Sends the heartbeat if it is time, and ends if the lifetime is over. */
  look(now: number): void {
    if (now >= this.#endAt) this.end()
    else if (now >= this.#heartbeatAt) {
      this.#heartbeatAt = now + this.#options.heartbeatMs
      this.send(HEARTBEAT)
      this.#options.confirm().catch(() => {
        this.end()
      })
    }
  }
}
