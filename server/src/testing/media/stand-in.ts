import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import { type Asked, deviationsOf, type Reply } from './description.ts'
import { jellyfinService } from './jellyfin.ts'
import { type Library, type LibraryFilm, libraryOf, REAL_FILMS } from './library.ts'
import { plexService } from './plex.ts'
import type { MediaService, Service, ServiceState, StandInPlayer } from './service.ts'

const MAX_REQUEST_BYTES = 64 * 1024
const FIRST_VERSIONS = { jellyfin: '10.10.7', emby: '4.8.11.0', plex: '1.41.3.9314-a0bfb8370' } as const

/**
 * How a server fails: it hangs up, never answers, sends a page, sends elsewhere, has another server's shapes, sends half of its
 * JSON, never ends, nests, sends very many values, compresses, is starting, or accepts no key.
 */
export type Trouble =
  | 'down'
  | 'silent'
  | 'html'
  | 'redirect'
  | 'other'
  | 'broken'
  | 'endless'
  | 'deep'
  | 'wide'
  | 'gzip'
  | 'error'
  | 'locked'

export type MediaStandIn = StandIn &
  Pick<MediaService, 'itemIdOf'> & {
    readonly kind: 'jellyfin' | 'emby' | 'plex'
    readonly state: ServiceState
  }

export type StandIn = {
  readonly url: string
  readonly asked: readonly Asked[]
  /** What was not as the service describes it, once: `stop` fails if any is left. */
  readonly takeDeviations: () => string[]
  /** All calls fail in this way from now on; undefined ends it. */
  readonly fail: (trouble: Trouble | undefined) => void
  /** All calls, or some, wait from now on, until the returned function is called. */
  readonly hold: (which?: (asked: Asked) => boolean) => () => void
  readonly stop: () => Promise<void>
}

type Place = { readonly host?: string; readonly port?: number }

type Options = Place & {
  readonly films?: readonly LibraryFilm[]
  readonly library?: Library
  readonly version?: string
  readonly players?: readonly StandInPlayer[]
}

const MACHINE_IDS = {
  jellyfin: '9a1b2c3d4e5f60718293a4b5c6d7e8f9',
  emby: '8a1b2c3d4e5f60718293a4b5c6d7e8f9',
  plex: '0123456789abcdef0123456789abcdef01234567',
} as const

const USERS = {
  jellyfin: [
    { id: '0a1b2c3d4e5f60718293a4b5c6d7e8f9', name: 'Lea' },
    { id: '1a1b2c3d4e5f60718293a4b5c6d7e8f9', name: 'Ida' },
  ],
  emby: [
    { id: '2a1b2c3d4e5f60718293a4b5c6d7e8f9', name: 'Lea', password: 'a secret of Lea' },
    { id: '3a1b2c3d4e5f60718293a4b5c6d7e8f9', name: 'Ida', password: '' },
  ],
  plex: [
    { id: '1', name: 'Lea' },
    { id: '61240', name: 'Ida' },
  ],
} as const

export const TELEVISION: StandInPlayer = {
  id: 'a1b2c3d4e5f6',
  device: 'Television',
  app: 'Living room app',
  user: 'Lea',
}

/**
 * A media server that checks each request against the published description of its service, and answers in its shapes. It
 * listens on a free port of 127.0.0.1 if none is given.
 */
export async function startMediaStandIn(
  kind: MediaStandIn['kind'],
  { films = REAL_FILMS, library = libraryOf(films), version, players = [TELEVISION], ...place }: Options = {},
): Promise<MediaStandIn> {
  const state: ServiceState = {
    machineId: MACHINE_IDS[kind],
    name: `${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)} at home`,
    version: version ?? FIRST_VERSIONS[kind],
    key: `${kind}-0123456789abcdef`,
    library,
    libraries: 1,
    pageSize: 100_000,
    players,
    played: [],
    users: USERS[kind],
    marked: [],
    refusedMarks: new Map(),
    tokens: new Map(),
    codes: new Map(),
    hasQuickConnect: true,
  }
  const service = kind === 'plex' ? plexService(state) : jellyfinService(kind, state)
  const standIn = await startStandIn(kind, { service, state }, place)
  return { ...standIn, kind, itemIdOf: service.itemIdOf, state }
}

/** A server that plays a service. */
export async function startStandIn(
  name: string,
  {
    service,
    state,
  }: { service: Service; state: { readonly key: string; readonly tokens?: ReadonlyMap<string, string> } },
  { host, port }: Place,
): Promise<StandIn> {
  const asked: Asked[] = []
  const deviations: string[] = []
  let trouble: Trouble | undefined
  let held: Promise<undefined> | undefined
  let isHeld = (_asked: Asked): boolean => true

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = await readRequest(request)
    asked.push(one)
    if (isHeld(one)) await held
    if (trouble !== undefined && trouble !== 'broken') fail(trouble, response)
    else send(response, replyTo(one), trouble === 'broken')
  }

  function replyTo(one: Asked): Reply {
    const found = service.operations.flatMap((operation) => {
      const match = operation.method === one.method ? operation.path.exec(one.path) : null
      return match ? [{ operation, parameters: { ...match.groups } }] : []
    })
    const [{ operation, parameters } = { operation: undefined, parameters: {} }] = found
    const wrong = operation ? deviationsOf(one, operation) : ['is not described']
    const secrets = [state.key, ...(state.tokens?.keys() ?? [])]
    const address = JSON.stringify([one.path, one.query])
    if (secrets.some((secret) => address.includes(secret))) wrong.push('a key is in the URL')
    if (!operation || wrong.length > 0) {
      deviations.push(...wrong.map((what) => `${one.method} ${one.path}: ${what}`))
      return { status: operation ? 400 : 404, body: operation ? 'Bad Request' : 'Not Found' }
    }
    const isKnown = service.isKey(one) || service.userOf?.(one) !== undefined
    if (operation.isOpen !== true && !isKnown) return { status: service.refusal ?? 401, body: 'Unauthorized' }
    return operation.answer(one, parameters)
  }

  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(port ?? 0, host ?? '127.0.0.1')
  await once(server, 'listening')
  const { address, port: itsPort } = server.address() as AddressInfo
  return {
    url: `http://${address}:${itsPort}`,
    asked,
    takeDeviations: () => deviations.splice(0),
    fail: (next) => {
      trouble = next
    },
    hold: (which = () => true) => {
      isHeld = which
      const { promise, resolve } = Promise.withResolvers<undefined>()
      held = promise
      return () => {
        resolve(undefined)
      }
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      if (deviations.length > 0)
        throw new Error(`Requests of ${name} that are not as described:\n${deviations.join('\n')}`)
    },
  }
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  const { method = '', url = '/', headers } = request
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > MAX_REQUEST_BYTES) throw new Error('The request is too long')
    pieces.push(piece)
  }
  const { pathname, searchParams } = new URL(url, 'http://stand-in')
  return {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers,
    body: Buffer.concat(pieces).toString(),
  }
}

function send(response: ServerResponse, { status, body }: Reply, isHalf: boolean): void {
  if (body === undefined) {
    response.writeHead(status).end()
    return
  }
  const isText = typeof body === 'string'
  const text = isText ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json; charset=utf-8' })
  response.end(isHalf ? text.slice(0, text.length / 2) : text)
}

let bomb: Buffer | undefined

function fail(trouble: Exclude<Trouble, 'broken'>, response: ServerResponse): void {
  const json = { 'content-type': 'application/json' }
  switch (trouble) {
    case 'down':
      response.destroy()
      return
    case 'silent':
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>A router</title>')
      return
    case 'redirect':
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
      return
    case 'other':
      response.writeHead(200, json).end('{"status":"ok","items":[{"id":7}],"MediaContainer":7,"Items":7}')
      return
    case 'endless':
      pour(response.writeHead(200, json))
      return
    case 'deep':
      response.writeHead(200, json).end('['.repeat(900_000))
      return
    case 'wide':
      response.writeHead(200, json).end(`{"Items":[${'{},'.repeat(300_000)}{}]}`)
      return
    case 'gzip':
      bomb ??= gzipSync('{}'.padEnd(20_000_000))
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb)
      return
    case 'error':
      response.writeHead(503, { 'content-type': 'text/html' }).end('<title>The server is starting</title>')
      return
    case 'locked':
      response.writeHead(401, { 'content-type': 'text/plain' }).end('Unauthorized')
  }
}

/** Spaces without an end, as the beginning of JSON. */
function pour(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
