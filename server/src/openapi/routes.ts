import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'

import { refuseOtherMethods } from '@marquee/platform/http/other-methods'

import { problemFor } from '../problem-replies.ts'
import { openApiDocument } from './document.ts'
import { docsPage } from './page.ts'

const STYLE = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8')

/** The API about itself: `openapi.json` for programs, `docs` for people. Anybody may read both. */
export function openApiRoutes(app: FastifyInstance): void {
  const document = openApiDocument()
  const page = docsPage(document, { styleUrl: `${app.prefix}/docs.css`, documentUrl: `${app.prefix}/openapi.json` })
  const files = [
    { path: '/openapi.json', type: 'application/json; charset=utf-8', content: JSON.stringify(document) },
    { path: '/docs', type: 'text/html; charset=utf-8', content: page },
    { path: '/docs.css', type: 'text/css; charset=utf-8', content: STYLE },
  ]
  for (const { path, type, content } of files) {
    app.get(path, async (_request, reply) => await reply.type(type).header('cache-control', 'no-cache').send(content))
  }
  const calls = files.map(({ path }) => ({ method: 'GET', path, auth: 'none', status: 200 }) as const)
  refuseOtherMethods(app, calls, problemFor(405))
}
