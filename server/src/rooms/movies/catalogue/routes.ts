import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { MAX_URL_LENGTH } from '@marquee/contract/limits'

import type { Handlers } from '../../club/people/service.ts'
import type { Catalogue } from './service.ts'

export function catalogueHandlers({ catalogue }: { catalogue: Catalogue }) {
  return {
    searchCatalogue: async ({ query }) => ({ results: await catalogue.search(query.q, query.language) }),
    readCatalogueMovie: async ({ params, query, user }) =>
      await catalogue.details({ ...params, ...query }, user.userId),
    readCatalogueLink: async ({ body, user }) => await catalogue.fromLink(body, user.userId),
  } satisfies Partial<Handlers>
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
