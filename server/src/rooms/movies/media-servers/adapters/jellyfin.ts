import { z } from 'zod'

import { baseOf, CLIENT_NAME, createMediaClient, type MediaClient } from './client.ts'
import { eachOnce, idsOf, ItemId, Name, pagesOf, ShortList, startReading, Title, Year } from './movies.ts'
import {
  type Connection,
  type MediaFetchOptions,
  MediaServerFault,
  type MediaServerPort,
  MOVIES_PER_PAGE,
  NothingToMark,
  type Player,
  PlayerGone,
  PlayRefused,
  type ServerInfo,
  type ServerMovie,
} from './port.ts'
import { quickConnectOf, signIn } from './sign-in.ts'
import { isFrom, requireVersion } from './version.ts'

/** Where Jellyfin and Emby, which it comes from, differ. */
type Dialect = {
  readonly keyHeaders: (token: string, device: string) => Record<string, string>
  /** Those of a user who has no token yet. */
  readonly deviceHeaders: (device: string) => Record<string, string>
  /** Whether a server with this product name is of this kind. Emby names none. */
  readonly isOwn: (product: string | undefined) => boolean
  readonly firstVersion: readonly [number, number]
  /** The name of a parameter of a query. */
  readonly parameter: (name: string) => string
  readonly fields: string
  readonly page: string
  /** Emby requires a body with a command to play. */
  readonly body: object | undefined
}

/** A server keeps one token for each user of a device, so each link is a device of its own. */
const clientOf = (device: string) =>
  `Client="${CLIENT_NAME}", Device="${CLIENT_NAME}", DeviceId="${device}", Version="1"`

const JELLYFIN: Dialect = {
  keyHeaders: (token, device) => ({ authorization: `MediaBrowser ${clientOf(device)}, Token="${token}"` }),
  deviceHeaders: (device) => ({ authorization: `MediaBrowser ${clientOf(device)}` }),
  isOwn: (product) => product?.startsWith('Jellyfin') === true,
  firstVersion: [10, 8],
  parameter: (name) => name,
  fields: 'ProviderIds',
  page: 'details',
  body: undefined,
}

const EMBY: Dialect = {
  keyHeaders: (token) => ({ 'x-emby-token': token }),
  deviceHeaders: (device) => ({ 'x-emby-authorization': `Emby ${clientOf(device)}` }),
  isOwn: (product) => product?.startsWith('Jellyfin') !== true,
  firstVersion: [4, 7],
  parameter: (name) => `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`,
  fields: 'ProviderIds,ProductionYear',
  page: 'item',
  body: {},
}

const PUBLIC_INFO = '/System/Info/Public'
/** Earlier versions of Jellyfin have only the path that Emby has, too. */
const FIRST_WITH_PLAYED_ITEMS = [10, 9] as const

const SystemInfo = z.object({
  Id: ItemId,
  ServerName: Name,
  Version: z.string(),
  ProductName: z.string().nullish(),
})

/** The names of providers are free text: `Tmdb` and `Imdb` are usual. */
export const ProviderIds = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch(undefined)
  .transform((ids) => {
    const known = new Map(Object.entries(ids ?? {}).map(([name, id]) => [name.toLowerCase(), id]))
    const idAt = (name: string) => {
      const id = known.get(name)
      return typeof id === 'string' ? id.trim() : undefined
    }
    return idsOf({ tmdb: idAt('tmdb'), imdb: idAt('imdb'), wikidata: idAt('wikidata') })
  })

/** A movie as Jellyfin and Emby name it. */
export const JellyfinItem = z
  .object({ Id: ItemId, Name: Title, ProductionYear: Year.optional(), ProviderIds, Type: z.literal('Movie') })
  .transform(({ Id, Name: title, ProductionYear: year = null, ProviderIds: ids }): ServerMovie => {
    return { itemId: Id, title, year, ...ids }
  })

const ItemsAnswer = z.object({ Items: z.array(z.unknown()), TotalRecordCount: z.int().min(0).optional() })

const Session = z.object({
  Id: ItemId,
  DeviceName: Name,
  Client: Name,
  UserName: Name.nullish().catch(null),
  SupportsRemoteControl: z.literal(true),
  PlayableMediaTypes: z.array(z.string()).nullish(),
})

export function openJellyfin(connection: Connection, options: MediaFetchOptions): MediaServerPort {
  const dialect = connection.kind === 'emby' ? EMBY : JELLYFIN
  const { token, device = CLIENT_NAME } = connection
  const keyHeaders = dialect.keyHeaders(token, device)
  const headers = dialect.deviceHeaders(device)
  const client = createMediaClient(connection, { keyHeaders, open: [PUBLIC_INFO] }, options)
  return {
    identify: async (signal) => await identify(client, dialect, signal),
    meet: async (signal) => await meet(client, dialect, signal),
    ...(connection.kind === 'emby'
      ? { signIn: async (name, password, signal) => await signIn(client, { name, password, headers }, signal) }
      : { quickConnect: quickConnectOf(client, headers) }),
    mark: async ({ userId, itemId, isSeen, version }, signal) => {
      const isNew = connection.kind === 'jellyfin' && isFrom(version, FIRST_WITH_PLAYED_ITEMS)
      const status = await client.send(
        isNew ? `/UserPlayedItems/${itemId}` : `/Users/${userId}/PlayedItems/${itemId}`,
        { method: isSeen ? 'POST' : 'DELETE', signal, ...(isNew && { query: { userId } }) },
      )
      if (status === 404) throw new NothingToMark()
      if (status < 200 || status > 299) throw new MediaServerFault('unreachable', `marking was answered with ${status}`)
    },
    listMovies: (signal) => listMovies(client, dialect, signal),
    listPlayers: async (signal) => {
      const sessions = await client.ask('/Sessions', ShortList, { signal })
      return sessions.flatMap((session) => playerOf(Session.safeParse(session).data))
    },
    play: async (player, itemId, signal) => {
      if (!ItemId.safeParse(player).success) throw new PlayerGone()
      const query = named(dialect, { playCommand: 'PlayNow', itemIds: itemId })
      const { body } = dialect
      const path = `/Sessions/${encodeURIComponent(player)}/Playing`
      const status = await client.send(path, { method: 'POST', query, signal, ...(body && { body }) })
      if (status === 404) throw new PlayerGone()
      if (status < 200 || status > 299) throw new PlayRefused(status)
    },
    // Groups are of users: a key of the server can neither join one nor have a session of others join (decision 0083).
    linkTo: (openUrl, machineId, itemId) => {
      const query = new URLSearchParams({ id: itemId, serverId: machineId }).toString()
      return `${baseOf(openUrl)}/web/index.html#!/${dialect.page}?${query}`
    },
  }
}

function named({ parameter }: Dialect, query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [parameter(name), value]))
}

function listMovies(client: MediaClient, dialect: Dialect, signal: AbortSignal) {
  const reading = startReading()
  const readPage = async (start: number) => {
    const query = named(dialect, {
      recursive: 'true',
      includeItemTypes: 'Movie',
      fields: dialect.fields,
      enableImages: 'false',
      enableUserData: 'false',
      // The newest come last, so that none moves to another page while the pages are read.
      sortBy: 'DateCreated,SortName',
      sortOrder: 'Ascending',
      startIndex: String(start),
      limit: String(MOVIES_PER_PAGE),
    })
    const { Items: items, TotalRecordCount: total } = await client.ask('/Items', ItemsAnswer, {
      query,
      pageOf: reading,
      signal,
    })
    return { items, total }
  }
  return eachOnce(pagesOf(reading, readPage, JellyfinItem))
}

async function meet(client: MediaClient, { isOwn, firstVersion }: Dialect, signal: AbortSignal) {
  const seen = await client.ask(PUBLIC_INFO, SystemInfo, { signal })
  if (!isOwn(seen.ProductName ?? undefined)) throw new MediaServerFault('other-server', 'another product')
  requireVersion(seen.Version, firstVersion)
  return { machineId: seen.Id, version: seen.Version }
}

async function identify(client: MediaClient, dialect: Dialect, signal: AbortSignal): Promise<ServerInfo> {
  await meet(client, dialect, signal)
  const { Id: machineId, ServerName: name, Version: version } = await client.ask('/System/Info', SystemInfo, { signal })
  return { machineId, name, version: version.slice(0, 40) }
}

function playerOf(session: z.output<typeof Session> | undefined): Player[] {
  if (session?.PlayableMediaTypes?.includes('Video') !== true) return []
  const { Id: sessionId, DeviceName: device, Client: app, UserName: user = null } = session
  return [{ sessionId, device, app, user }]
}
