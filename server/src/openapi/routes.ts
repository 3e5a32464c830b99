import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'

import { refuseOtherMethods } from '@marquee/platform/http/other-methods'

import { problemFor } from '../problem-replies.ts'

/**
 * The description of the API: `openapi.json` for programs, `docs` for people. Both are public, and made on the first
 * request.
 */
export function openApiRoutes(app: FastifyInstance): void {
  const urls = { styleUrl: `${app.prefix}/docs.css`, documentUrl: `${app.prefix}/openapi.json` }
  const files = [
    { path: '/openapi.json', type: 'application/json; charset=utf-8', write: writeDocument },
    { path: '/docs', type: 'text/html; charset=utf-8', write: async () => await writePage(urls) },
    { path: '/docs.css', type: 'text/css; charset=utf-8', write: readStyle },
  ]
  for (const { path, type, write } of files) {
    let written: Promise<string> | undefined
    app.get(path, async (_request, reply) => {
      written ??= write()
      return await reply
        .type(type)
        .header('cache-control', 'no-cache')
        .send(await written)
    })
  }
  const calls = files.map(({ path }) => ({ method: 'GET', path, auth: 'none', status: 200 }) as const)
  refuseOtherMethods(app, calls, problemFor(405))
}

async function writeDocument(): Promise<string> {
  const { openApiDocument } = await import('./document.ts')
  return JSON.stringify(openApiDocument())
}

async function writePage(urls: { styleUrl: string; documentUrl: string }): Promise<string> {
  const [{ openApiDocument }, { docsPage }] = await Promise.all([import('./document.ts'), import('./page.ts')])
  return docsPage(openApiDocument(), urls)
}

async function readStyle(): Promise<string> {
  return await readFile(join(import.meta.dirname, 'page.css'), 'utf8')
}
