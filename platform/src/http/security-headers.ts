import type { OutgoingHttpHeaders } from 'node:http'

import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/**
 * The headers every reply carries. The page may run and fetch only what comes from this server; pictures may come from
 * anywhere. `publicUrl` is the origin people know the server by, which may differ from the one a page was opened at; `origins`
 * are other servers the page needs.
 */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { publicUrl, origins = [] }: { publicUrl: string; origins?: readonly string[] | undefined },
): Promise<void> {
  const isHttps = publicUrl.startsWith('https:')
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:', 'https:', 'http:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", new URL(publicUrl).origin, ...origins],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        ...(isHttps && { 'upgrade-insecure-requests': [] }),
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 365 * 24 * 60 * 60 } : false,
    xFrameOptions: { action: 'deny' },
  })
  // They are the same in every reply: helmet makes them for the first, which takes it a while.
  let made: OutgoingHttpHeaders | undefined
  app.addHook('onRequest', async (_request, reply) => {
    if (made) return void reply.headers(made)
    reply.helmet()
    made = { ...reply.raw.getHeaders() }
  })
}
