import { connect, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as poll } from 'node:timers/promises'

/** A client that keeps connecting must not keep the server open. */
const LONGEST_MS = 1_000
/** The smallest backlog that Node sets. */
const SMALLEST_BACKLOG = 1
/** The kernel takes one connection more than the backlog says. */
const SMALLEST_QUEUE = SMALLEST_BACKLOG + 1
/** Node accepts one connection per turn of the event loop, so two turns may pass until the queue is no longer full. */
const FILLERS = SMALLEST_QUEUE + 2

/**
 * Accepts the connections in the accept queue, which the operating system would reset when the server closes, and passes
 * them to `serve`. When it returns, the caller can close the server in the same turn of the event loop, and no connection
 * is reset.
 *
 * A client may always connect between the last accept and the close. So this process connects to itself until its own
 * connections alone fill the queue. The kernel drops what clients send to a full queue; they repeat it a second later and
 * find the server closed.
 */
export async function stopAccepting(server: Server, serve: (socket: Socket) => void): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_MS
  const queue = new AcceptQueue(server, serve)
  for (;;) {
    queue.resize(SMALLEST_QUEUE)
    await queue.untilEmpty(giveUpAt)
    if (performance.now() >= giveUpAt || (await queue.fill())) return
  }
}

class AcceptQueue {
  readonly #server: Server
  readonly #serve: (socket: Socket) => void
  /** This process's own connections, by the address that the server sees. */
  readonly #fillers = new Set<string>()
  #served = 0
  #drained = 0

  constructor(server: Server, serve: (socket: Socket) => void) {
    this.#server = server
    this.#serve = serve
  }

  /** Limits the queue, without a turn of the event loop. Connections that wait in it stay. */
  resize(size: number): void {
    const accept = (socket: Socket): void => this.#accept(socket)
    createServer({ allowHalfOpen: true, noDelay: true }, accept).listen(this.#server, size - 1)
  }

  #accept(socket: Socket): void {
    if (this.#fillers.delete(endOf(socket.remoteAddress, socket.remotePort))) {
      this.#drained += 1
      socket.destroy()
      return
    }
    this.#served += 1
    this.#serve(socket)
  }

  /** Accepts connections until a turn of the event loop brings none. */
  async untilEmpty(giveUpAt: number): Promise<void> {
    for (let before = -1; before !== this.#served + this.#drained && performance.now() < giveUpAt;) {
      before = this.#served + this.#drained
      await poll()
      await poll()
    }
  }

  /**
   * Fills the queue with own connections. Returns whether nothing else is in it and nothing else can come in: all of them
   * are connected, which they could not be beside another one, and there are still enough to fill the smallest queue.
   */
  async fill(): Promise<boolean> {
    const address = this.#server.address()
    // The queue of a Unix socket takes connections of this machine only.
    if (address === null || typeof address === 'string') return true
    const [served, drained] = [this.#served, this.#drained]
    this.resize(FILLERS)
    const fillers = Array.from({ length: FILLERS }, () => connect(address.port, reachable(address.address)))
    let connected = 0
    for (const filler of fillers) filler.on('error', ignore).once('connect', () => (connected += 1))
    // Node connects in the next tick, before it accepts anything.
    await new Promise((resolve) => {
      process.nextTick(resolve)
    })
    for (const { localAddress, localPort } of fillers) this.#fillers.add(endOf(localAddress, localPort))
    this.resize(SMALLEST_QUEUE)
    await poll()
    const isFull =
      connected === FILLERS && this.#served === served && this.#drained - drained <= FILLERS - SMALLEST_QUEUE
    setImmediate(() => {
      for (const filler of fillers) filler.destroy()
    })
    return isFull
  }
}

function endOf(address: string | undefined, port: number | undefined): string {
  return `${address} ${port}`
}

/** The address at which this machine reaches a server that listens at all its addresses. */
function reachable(address: string): string {
  if (address === '::') return '::1'
  return address === '0.0.0.0' ? '127.0.0.1' : address
}

function ignore(): void {}
