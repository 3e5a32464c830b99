import type { OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { letLast } from './reply-end.ts'
import { type Answered, answeredOf, logAnswered } from './request-log.ts'
import { takeConnection } from './take-connection.ts'

/** A reader that is this far behind is disconnected; it reconnects and fetches what it missed. */
const MAX_BACKLOG_BYTES = 64 * 1024
const RECONNECT_MS = 2_000
/** How long a reader may take for the rest of a stream that has ended. */
const LAST_BYTES_MS = 2_000
/** How often heartbeats and lifetimes are looked at, for all streams at once. */
const ROUND_MS = 250
const OPENING = framed(`retry: ${RECONNECT_MS}\n: open\n\n`)
const HEARTBEAT = framed(': alive\n\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

export type EventStream = {
  /** Sends one event. */
  send: (event: EventText) => void
  end: () => void
}

/** The bytes of an event, as a chunk of HTTP/1.1 and, for HTTP/1.0, without its frame. All streams share them. */
export type EventText = { readonly chunk: Buffer; readonly plain: Buffer }

/** `data` is one line. */
export function eventText(data: string): EventText {
  return framed(`data: ${data}\n\n`)
}

function framed(text: string): EventText {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`
  const chunk = Buffer.from(`${size}${text}\r\n`)
  return { chunk, plain: chunk.subarray(size.length, -2) }
}

/** Who reads a stream. Lives as long as the stream, so it should hold little. */
export type StreamReader = {
  /** The interval of the heartbeats. */
  readonly heartbeatMs: number
  /** Called at every heartbeat; the stream ends if it rejects. */
  confirm: () => Promise<void>
  /** Called once, however the stream ends. */
  closed: () => void
}

export type EventStreams = {
  /**
   * Answers a request with server-sent events until the lifetime is over. Returns no stream if the reader is gone, or if it
   * got an empty reply and will come back.
   */
  open: (
    request: FastifyRequest,
    reply: FastifyReply,
    reader: StreamReader,
    lifetimeMs: number,
  ) => EventStream | undefined
}

/** The event streams of a server. They end when the server begins to close, so that closing does not wait for readers. */
export function eventStreamsOn(app: FastifyInstance): EventStreams {
  const open = new Set<Stream>()
  let isClosing = false
  let timer: NodeJS.Timeout | undefined
  let allClosed: (() => void) | undefined
  const round = (): void => {
    const now = performance.now()
    for (const stream of open) stream.look(now)
  }
  const forget = (stream: Stream): void => {
    open.delete(stream)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
    allClosed?.()
  }
  const unwritten: Stream[] = []
  const flush = (): void => {
    for (const stream of unwritten.splice(0)) stream.flush()
  }
  const flushSoon = (stream: Stream): void => {
    if (unwritten.push(stream) === 1) setImmediate(flush)
  }
  app.addHook('preClose', async () => {
    isClosing = true
    for (const stream of open) stream.end()
  })
  // The server regards their connections as closed already.
  app.addHook('onClose', async () => {
    if (open.size === 0) return
    await new Promise<void>((resolve) => {
      allClosed = resolve
    })
  })
  return {
    open: (request, reply, reader, lifetimeMs) => {
      const socket = begin(request, reply, isClosing)
      if (!socket) return undefined
      const stream = new Stream({
        socket,
        isChunked: reply.raw.chunkedEncoding,
        reader,
        lifetimeMs,
        ended: endOf(
          { log: app.log, answered: answeredOf(request, reply), tookMs: reply.elapsedTime },
          letLast(reply.raw),
        ),
        forget,
        flushSoon,
      })
      open.add(stream)
      timer ??= setInterval(round, ROUND_MS)
      return stream
    },
  }
}

/** Sends the head of the reply, and takes its connection unless the reply ends at once. */
function begin(request: FastifyRequest, reply: FastifyReply, isClosing: boolean): Socket | undefined {
  void reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    // No other request on it will be read.
    .header('connection', 'close')
    .hijack()
  const { raw } = reply
  if (raw.destroyed) return undefined
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  raw.flushHeaders()
  const socket = request.method === 'HEAD' || isClosing ? undefined : takeConnection(raw)
  // The reader comes back, on another connection or to another process.
  if (!socket) raw.end(OPENING.plain)
  return socket
}

/** What happens after a stream. It holds nothing of the request. */
function endOf(
  { log, answered, tookMs }: { log: FastifyBaseLogger; answered: Answered; tookMs: number },
  tell: () => void,
): (lastedMs: number) => void {
  return (lastedMs) => {
    tell()
    logAnswered(log, answered, tookMs + lastedMs)
  }
}

type StreamOptions = {
  readonly socket: Socket
  readonly isChunked: boolean
  readonly reader: StreamReader
  readonly lifetimeMs: number
  readonly ended: (lastedMs: number) => void
  readonly forget: (stream: Stream) => void
  readonly flushSoon: (stream: Stream) => void
}

/** Thousands are open at once, so each holds little, and none has a timer. */
class Stream implements EventStream {
  readonly #socket: Socket
  readonly #isChunked: boolean
  readonly #reader: StreamReader
  readonly #flushSoon: (stream: Stream) => void
  readonly #openedAt: number
  #endAt: number
  #heartbeatAt: number

  constructor({ socket, isChunked, reader, lifetimeMs, ended, forget, flushSoon }: StreamOptions) {
    const now = performance.now()
    this.#socket = socket
    this.#isChunked = isChunked
    this.#reader = reader
    this.#flushSoon = flushSoon
    this.#openedAt = now
    this.#endAt = now + lifetimeMs
    this.#heartbeatAt = now + reader.heartbeatMs
    // An error closes the socket, and the reader comes back.
    socket.on('error', ignore).on('close', () => {
      forget(this)
      reader.closed()
      ended(performance.now() - this.#openedAt)
    })
    // What the reader sends is thrown away, so that the end of the connection is seen.
    socket.resume()
    this.send(OPENING)
  }

  send(event: EventText): void {
    if (!this.#socket.writable) return
    // Writing to thousands of sockets is what an event costs, so events of one turn of the event loop share it.
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      this.#flushSoon(this)
    }
    this.#socket.write(this.#isChunked ? event.chunk : event.plain)
  }

  /** Writes what was sent in this turn of the event loop. */
  flush(): void {
    this.#socket.uncork()
    if (this.#socket.writableLength > MAX_BACKLOG_BYTES) this.#socket.destroy()
  }

  end(): void {
    if (!this.#socket.writable) return
    this.#endAt = performance.now() + LAST_BYTES_MS
    if (this.#isChunked) this.#socket.write(LAST_CHUNK)
    this.#socket.destroySoon()
  }

  /**
   * Sends the heartbeat if it is due, and ends the stream if its lifetime is over. Disconnects a reader that takes nothing
   * any more.
   */
  look(now: number): void {
    if (now >= this.#endAt && this.#socket.writable) this.end()
    else if (now >= this.#endAt) this.#socket.destroy()
    else if (now >= this.#heartbeatAt) {
      this.#heartbeatAt = now + this.#reader.heartbeatMs
      this.send(HEARTBEAT)
      this.#reader.confirm().catch(() => {
        this.end()
      })
    }
  }
}

function ignore(): void {}
