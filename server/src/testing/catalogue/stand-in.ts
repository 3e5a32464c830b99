import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import sharp from 'sharp'

import { answerPage } from './pages.ts'
import { answerTmdb, TMDB_TOKEN } from './tmdb.ts'
import type { Answer } from './watch-providers.ts'
import { answerWikidata } from './wikidata.ts'
import { answerWikipedia } from './wikipedia.ts'

const SLOW_MS = 10_000
const HUGE = 20_000_000
/** Letterboxd shares short addresses. */
const REDIRECTS: Readonly<Record<string, string>> = {
  '/2awY': 'http://letterboxd.com{port}/film/alien/',
  '/leads-inside': 'http://10.0.0.1/',
}

const TROUBLES = ['down', 'slow', 'limited', 'nonsense', 'html', 'huge', 'bomb', 'redirect'] as const
/** How the services fail. `limited` is a 429, `bomb` a small body that unpacks to a huge one. */
export type Trouble = (typeof TROUBLES)[number]

export type CatalogueStandIn = {
  readonly origin: string
  /** The settings with which a server asks the stand-in. */
  readonly settings: Readonly<Record<string, string>>
  /** The requested paths, without images and pages. */
  readonly asked: () => readonly string[]
  readonly headers: () => readonly IncomingMessage['headers'][]
  /** All services fail in this way from now on; undefined ends it. */
  readonly fail: (trouble: Trouble | undefined) => void
  /** What is answered to calls of one path from now on; undefined ends it. */
  readonly answerWith: (path: string, answer: Answer | undefined) => void
  readonly stop: () => Promise<void>
}

/**
 * Wikidata, Wikipedia, TMDB and pages of other services on a free port of 127.0.0.1. They answer in the documented shapes
 * from one table of films. `/trouble?is=slow` does what `fail` does, for other processes.
 */
export async function startCatalogueStandIn(): Promise<CatalogueStandIn> {
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const stopped = new AbortController()
  const special = new Map<string, Answer>()
  let trouble: Trouble | undefined
  let origin = ''

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname === '/trouble') {
      trouble = TROUBLES.find((name) => name === url.searchParams.get('is'))
      response.end()
      return
    }
    if (url.pathname.endsWith('.png')) return await sendPicture(response)
    const [, service = ''] = url.pathname.split('/')
    if (!['wikidata', 'wikipedia', 'tmdb'].includes(service)) return sendPage(request, response)
    asked.push(url.pathname)
    headers.push(request.headers)
    const { status, body } = special.get(url.pathname) ?? answerApi(service, url, request)
    const right = JSON.stringify(body)
    const isFollowed = url.searchParams.has('followed')
    if (trouble !== undefined && !isFollowed)
      return await fail(trouble, { response, url, right, stopped: stopped.signal })
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(right)
  }

  function answerApi(service: string, url: URL, { headers: { authorization } }: IncomingMessage) {
    if (service === 'tmdb') return answerTmdb(url.pathname.replace('/tmdb/3', ''), url.searchParams, authorization)
    if (service === 'wikidata') return { status: 200, body: answerWikidata(url.searchParams) }
    const [, , wiki = ''] = url.pathname.split('/')
    return { status: 200, body: answerWikipedia(wiki, url.searchParams, origin) }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    settings: {
      WIKIDATA_URL: `${origin}/wikidata/w/api.php`,
      WIKIPEDIA_URL: `${origin}/wikipedia/{language}`,
      TMDB_URL: `${origin}/tmdb/3`,
      TMDB_IMAGES_URL: `${origin}/images/t/p`,
      TMDB_TOKEN,
    },
    asked: () => asked,
    headers: () => headers,
    fail: (next) => {
      trouble = next
    },
    answerWith: (path, given) => {
      if (given) special.set(path, given)
      else special.delete(path)
    },
    stop: async () => {
      stopped.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Failing = { response: ServerResponse; url: URL; right: string; stopped: AbortSignal }

/** Replies that are too long or behind a redirect are otherwise valid: only the limits of the client reject them. */
async function fail(trouble: Trouble, { response, url, right, stopped }: Failing): Promise<void> {
  const json = { 'content-type': 'application/json' }
  switch (trouble) {
    case 'down':
      response.destroy()
      return
    case 'slow':
      await pause(SLOW_MS, undefined, { signal: stopped }).catch(() => undefined)
      response.writeHead(200, json).end(right)
      return
    case 'limited':
      response.writeHead(429, { 'retry-after': '7', 'content-type': 'text/plain' }).end('Too many requests')
      return
    case 'nonsense':
      response.writeHead(200, json).end('{"query": {"pages": 7}, "results": "many", "entities": null}')
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Maintenance</title>')
      return
    case 'huge':
      response.writeHead(200, json).end(right.padEnd(HUGE))
      return
    case 'bomb':
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(right.padEnd(HUGE)))
      return
    case 'redirect':
      url.searchParams.set('followed', '1')
      response.writeHead(302, { location: url.href }).end()
  }
}

function sendPage({ url = '/', headers: { host = '' } }: IncomingMessage, response: ServerResponse): void {
  const page = answerPage(host.replace(/:\d+$/u, ''), url)
  const location = REDIRECTS[url]?.replace('{port}', /:\d+$/u.exec(host)?.[0] ?? '')
  if (location !== undefined) response.writeHead(302, { location }).end()
  else response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

let poster: Buffer | undefined

async function sendPicture(response: ServerResponse): Promise<void> {
  poster ??= await sharp({ create: { width: 250, height: 375, channels: 3, background: { r: 40, g: 60, b: 90 } } })
    .png()
    .toBuffer()
  response.writeHead(200, { 'content-type': 'image/png' }).end(poster)
}
