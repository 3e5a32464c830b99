import { once } from 'node:events'
import { createServer, Server, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

const ROUND_MS = 50
/** The smallest backlog that Node passes on. */
const BACKLOG = 1
/** No client keeps the server open by connecting again and again. */
const LONGEST_DRAIN_MS = 1_000

/**
 * Lets clients go without breaking a request off. When the server begins to close, connections that wait to be accepted
 * are accepted, and then no more are taken. Those that are open may bring requests for `graceMs` more, in milliseconds,
 * and each answer ends its connection: one that looks idle may have a request on its way. After that, idle connections
 * are ended, and the others as soon as they are idle.
 */
export function closeGently(app: FastifyInstance, graceMs: number): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    await acceptWaiting(app.server)
    // That of HTTP would also end all connections which look idle.
    const closed = once(app.server, 'close')
    Server.prototype.close.call(app.server)
    await Promise.race([closed, pause(graceMs, undefined, { ref: false })])
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
    }, ROUND_MS)
    app.server.once('close', () => {
      clearInterval(timer)
    })
  })
}

/**
 * Accepts what waits in the backlog, which the system would reset when the server closes. A new, tiny backlog keeps
 * further clients out meanwhile: they try again a second later and find the server closed. Node accepts one connection
 * a turn, so none waits after a turn without any.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0
  const pass = (socket: Socket): void => {
    accepted += 1
    server.emit('connection', socket)
  }
  createServer({ allowHalfOpen: true, noDelay: true }, pass).listen(server, BACKLOG)
  const giveUpAt = performance.now() + LONGEST_DRAIN_MS
  for (let seen = -1; seen !== accepted && performance.now() < giveUpAt;) {
    seen = accepted
    await turn()
    await turn()
  }
}
