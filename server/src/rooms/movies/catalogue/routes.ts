import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { MAX_URL_LENGTH } from '@marquee/contract/limits'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal } from '../../club/people/service.ts'
import type { Catalogue } from './service.ts'

export function catalogueRoutes(route: Route<Principal>, { catalogue }: { catalogue: Catalogue }): void {
  route(ENDPOINTS.searchCatalogue, async ({ query }) => ({ results: await catalogue.search(query.q, query.language) }))
  route(
    ENDPOINTS.readCatalogueMovie,
    async ({ params, query, user }) => await catalogue.details({ ...params, ...query }, user.userId),
  )
  route(ENDPOINTS.readCatalogueLink, async ({ body, user }) => await catalogue.fromLink(body, user.userId))
}

const PosterAddress = z.object({ of: z.string().max(MAX_URL_LENGTH) })

/** The pictures of results. `<img>` sends no token, so the signed name is what gives access. */
export function posterRoutes(app: FastifyInstance, catalogue: Catalogue): void {
  app.get<{ Params: { signature: string }; Querystring: z.output<typeof PosterAddress> }>(
    '/images/posters/:signature',
    { schema: { querystring: PosterAddress } },
    async ({ params, query }, reply) => {
      const { bytes, type } = await catalogue.poster(query.of, params.signature)
      return await reply
        .type(type)
        .headers({
          'cache-control': 'public, max-age=86400',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'cross-origin',
          'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
        })
        .send(bytes)
    },
  )
}
