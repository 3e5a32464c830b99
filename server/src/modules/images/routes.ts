import type { FastifyInstance } from 'fastify'

import { Problem } from '@marquee/contract/problems'

import type { Images } from './service.ts'

/** Stored images by their unguessable name. What lies under a name never changes. */
export function imageRoutes(app: FastifyInstance, images: Images): void {
  app.get<{ Params: { name: string } }>('/images/:name', async (request, reply) => {
    const bytes = await images.find(request.params.name)
    if (!bytes) throw new Problem('NOT_FOUND')
    return await reply
      .type('image/webp')
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        // Shown on pages opened at another name of this server, too.
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      .send(bytes)
  })
}
