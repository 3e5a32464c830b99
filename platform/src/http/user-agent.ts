import { AsyncLocalStorage } from 'node:async_hooks'

import type { FastifyInstance } from 'fastify'

const asking = new AsyncLocalStorage<string>()

/** Remembers, for as long as a request is answered, which program sent it. */
export function followUserAgent(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    asking.run(request.headers['user-agent'] ?? '', done)
  })
}

/** What the program called itself whose request is being answered; empty where there is none. */
export function userAgent(): string {
  return asking.getStore() ?? ''
}
