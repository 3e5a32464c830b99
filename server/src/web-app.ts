import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { Problem } from '@marquee/contract/problems'

import type { JoinPageHead } from './join-page.ts'

/** Paths without screens: the page of the web app is never the reply. */
const NO_SCREENS = /^\/(?:api|identity|oauth2|images|assets)(?:[/?]|$)/u
/** Paths of screens have no dots and no escapes, unlike those of files. */
const SCREEN_PATH = /^\/[\w/-]*(?:\?|$)/u
const UNCHANGING = 'public, max-age=31536000, immutable'
const REVALIDATED = 'no-cache'

/**
 * Serves the built web app. Files in `assets` have a hash in their names and are cached forever; other files are
 * revalidated. A browser that opens any other path gets the page, whose router knows the screens. So does a client that
 * accepts anything, such as a chat that shows a preview of a link. A missing file is a problem reply.
 */
export async function serveWebApp(
  app: FastifyInstance,
  webRoot: string | undefined,
  joinPageHead: JoinPageHead,
): Promise<void> {
  const isBuilt = webRoot !== undefined && existsSync(join(webRoot, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: webRoot,
      index: 'index.html',
      // One route per file: a route for all paths would answer 403 for some missing ones.
      wildcard: false,
      globIgnore: ['assets/**', '**/*.{br,gz}'],
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply) => {
        if (!reply.hasHeader('cache-control')) void reply.header('cache-control', REVALIDATED)
      },
    })
    await serveAssets(app, join(webRoot, 'assets'))
    await serveJoinPage(app, webRoot, joinPageHead)
  }
  const preloads = isBuilt ? await readPreloads(webRoot) : []
  app.setNotFoundHandler(async (request, reply) => {
    if (!isBuilt || !wantsPage(request)) throw new Problem('NOT_FOUND')
    const [, link] = preloads.find(([path]) => request.url.startsWith(path)) ?? []
    if (link !== undefined) void reply.header('link', link)
    return await reply.sendFile('index.html')
  })
}

/** For the start of a path, the `Link` header that makes a browser load the code and styles of its screen at once. */
async function readPreloads(webRoot: string): Promise<[path: string, link: string][]> {
  const file = join(webRoot, 'preloads.json')
  if (!existsSync(file)) return []
  const filesOfPaths = JSON.parse(await readFile(file, 'utf8')) as Record<string, string[]>
  return Object.entries(filesOfPaths).map(([path, files]) => [
    path,
    files.map((name) => `</${name}>; ${asOf(name)}`).join(', '),
  ])
}

/** As index.html asks for the file. */
function asOf(name: string): string {
  if (name.endsWith('.css')) return 'rel=preload; as=style; crossorigin'
  return name.startsWith('assets/') ? 'rel=modulepreload' : 'rel=preload; as=script'
}

/** All assets share a route, because the router needs 50 kB for each. */
async function serveAssets(app: FastifyInstance, folder: string): Promise<void> {
  const names = new Set((await readdir(folder)).filter((name) => !/\.(?:br|gz)$/u.test(name)))
  app.get<{ Params: { name: string } }>('/assets/:name', async ({ params }, reply) => {
    if (!names.has(params.name)) throw new Problem('NOT_FOUND')
    return await reply.header('cache-control', UNCHANGING).sendFile(params.name, folder)
  })
}

/** The page of a join link has a head of its own. No search engine may list it. */
async function serveJoinPage(app: FastifyInstance, webRoot: string, headOf: JoinPageHead): Promise<void> {
  const page = await readFile(join(webRoot, 'index.html'), 'utf8')
  app.get<{ Params: { token: string } }>('/join/:token', async ({ params, ip, headers }, reply) => {
    const head = await headOf(params.token, ip, headers['accept-language'])
    void reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }).type('text/html; charset=utf-8')
    return head === undefined ? page : page.replace(/<title>[^<]*<\/title>/u, () => head.text)
  })
}

function wantsPage({ method, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NO_SCREENS.test(url)) return false
  return accept.includes('text/html') || (accept.includes('*/*') && SCREEN_PATH.test(url))
}
