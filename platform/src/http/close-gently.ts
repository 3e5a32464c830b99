import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

const ROUND_MS = 50

/**
 * Lets whoever is connected go without breaking a request off. When the server begins to close, no more connections are
 * taken at once; those that are there may bring requests for `leadMs` more, in milliseconds, and each answer ends its
 * connection. Otherwise one that looks idle would be ended while a request is already on its way. After that, idle
 * connections are ended, and the others as soon as they are idle. Hooks for `preClose` that come first are to be added
 * before.
 */
export function closeGently(app: FastifyInstance, leadMs: number): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    // That of HTTP would also end all connections which look idle.
    Server.prototype.close.call(app.server)
    await pause(leadMs)
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
    }, ROUND_MS)
    app.server.once('close', () => {
      clearInterval(timer)
    })
  })
}
