import type { FastifyInstance } from 'fastify'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { Problem } from '@marquee/contract/problems'
import type { Route } from '@marquee/platform/http/mount'

import type { User } from '../profiles/service.ts'
import type { Images } from './service.ts'
import type { CheckImageUrl } from './url-check.ts'

/** Spec section 7: the call about an image that lies somewhere else. */
export function imageUrlRoutes(route: Route<User>, { checkImageUrl }: { checkImageUrl: CheckImageUrl }): void {
  route(ENDPOINTS.validateImageUrl, async ({ body }) => {
    await checkImageUrl(body.url)
    return undefined
  })
}

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
