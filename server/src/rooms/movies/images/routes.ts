import type { FastifyInstance } from 'fastify'

import { Problem } from '@marquee/contract/problems'

import type { Handlers } from '../../club/people/service.ts'
import { PLACEHOLDER_PATH } from './names.ts'
import type { Images } from './service.ts'
import type { CheckImageUrl } from './url-check.ts'

/** The check of an image URL. */
export function imageUrlHandlers({ checkImageUrl }: { checkImageUrl: CheckImageUrl }) {
  return {
    validateImageUrl: async ({ body }) => {
      await checkImageUrl(body.url)
      return undefined
    },
  } satisfies Partial<Handlers>
}

const PLACEHOLDER =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 3" width="640" height="960"><path fill="#252129" d="M0 0h2v3H0"/></svg>'

const HEADERS = {
  'x-content-type-options': 'nosniff',
  // Pages opened under another name of this server show them too.
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
}

/** Stored images by their unguessable name. The content of a name never changes. */
export function imageRoutes(app: FastifyInstance, images: Images): void {
  app.get(PLACEHOLDER_PATH, async (_request, reply) => {
    const headers = { ...HEADERS, 'cache-control': 'public, max-age=86400' }
    return await reply.type('image/svg+xml; charset=utf-8').headers(headers).send(PLACEHOLDER)
  })

  app.get<{ Params: { name: string } }>('/images/:name', async (request, reply) => {
    const bytes = await images.find(request.params.name)
    if (!bytes) throw new Problem('NOT_FOUND')
    const headers = { ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' }
    return await reply.type('image/webp').headers(headers).send(bytes)
  })
}
