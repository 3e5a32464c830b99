import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { Problem } from '@marquee/contract/problems'

/** Paths without screens: the page of the web app is never the reply. */
const NO_SCREENS = /^\/(?:api|identity|oauth2|images|assets)(?:[/?]|$)/u
const UNCHANGING = 'public, max-age=31536000, immutable'
const REVALIDATED = 'no-cache'

/**
 * Serves the built web app. Files in `assets` have a hash in their names and are cached forever; other files are
 * revalidated. A navigation to any other path gets the page, whose router knows the screens. A missing file is a problem
 * reply.
 */
export async function serveWebApp(app: FastifyInstance, webRoot: string | undefined): Promise<void> {
  const isBuilt = webRoot !== undefined && existsSync(join(webRoot, 'index.html'))
  if (isBuilt) {
    const assets = join(webRoot, 'assets') + sep
    await app.register(fastifyStatic, {
      root: webRoot,
      index: 'index.html',
      // One route per file: a route for all paths would answer 403 for some missing ones.
      wildcard: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        void reply.header('cache-control', path.startsWith(assets) ? UNCHANGING : REVALIDATED)
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (!isBuilt || !isNavigation(request)) throw new Problem('NOT_FOUND')
    return await reply.sendFile('index.html')
  })
}

function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  const wantsPage = headers.accept?.includes('text/html') === true
  return (method === 'GET' || method === 'HEAD') && wantsPage && !NO_SCREENS.test(url)
}
