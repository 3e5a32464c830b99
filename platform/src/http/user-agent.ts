import { AsyncLocalStorage } from 'node:async_hooks'

import type { FastifyInstance } from 'fastify'

const asking = new AsyncLocalStorage<string>()

/** Makes the user agent of a request available while the request is handled. */
export function followUserAgent(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    asking.run(request.headers['user-agent'] ?? '', done)
  })
}

/** The user agent of the request that is being handled; empty outside a request. */
export function userAgent(): string {
  return asking.getStore() ?? ''
}
