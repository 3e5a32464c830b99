import type { OutgoingHttpHeaders } from 'node:http'

import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

type SecurityHeaderOptions = {
  /** The public origin of the server. A page may have been opened at another origin. */
  readonly publicUrl: string
  /** Other servers the page needs. */
  readonly origins?: readonly string[] | undefined
  /** Whether pages may show images from any server. */
  readonly showsRemoteImages?: boolean
}

/** Sets the security headers of every reply. Pages may run, fetch and show only content of this server. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { publicUrl, origins = [], showsRemoteImages = false }: SecurityHeaderOptions,
): Promise<void> {
  const isHttps = publicUrl.startsWith('https:')
  const own = ["'self'", new URL(publicUrl).origin]
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': [...own, 'data:', 'blob:', ...(showsRemoteImages ? ['https:', 'http:'] : [])],
        'font-src': ["'self'"],
        'connect-src': [...own, ...origins],
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
  // They are the same in every reply, and helmet is slow: it makes them for the first only.
  let made: OutgoingHttpHeaders | undefined
  app.addHook('onRequest', async (_request, reply) => {
    if (made) return void reply.headers(made)
    reply.helmet()
    made = { ...reply.raw.getHeaders() }
  })
}
