import { z } from 'zod'

import { baseOf, CLIENT_NAME, createMediaClient, type MediaClient } from './client.ts'
import { eachOnce, idsOf, ItemId, Name, pagesOf, ShortList, startReading, Title, Year } from './movies.ts'
import {
  type Account,
  type Connection,
  type MediaFetchOptions,
  MediaServerFault,
  type MediaServerPort,
  MOVIES_PER_PAGE,
  NothingToMark,
  type Player,
  PlayerGone,
  PlayRefused,
  type ServerMovie,
} from './port.ts'
import { requireVersion } from './version.ts'

const FIRST_VERSION = [1, 30] as const
const IDENTITY = '/identity'
const MOVIE_TYPE = '1'
/** The account of its owner at each server. */
export const PLEX_OWNER = '1'
const MAX_ACCOUNTS = 200
/** What makes up most of a list and is not read. */
const WITHOUT = {
  excludeElements: 'Media,Genre,Country,Rating,Collection,Director,Writer,Role,Producer,Similar,Image,UltraBlurColors',
  excludeFields: 'summary,tagline',
}
/** The web app that Plex runs for all servers. */
const HOSTED_APP = 'app.plex.tv'

const Container = <T extends z.ZodRawShape>(shape: T) => z.object({ MediaContainer: z.object(shape) })

const Identity = Container({ machineIdentifier: ItemId, version: z.string() })
const Root = Container({ machineIdentifier: ItemId, version: z.string(), friendlyName: Name })
const Sections = Container({ Directory: ShortList.default([]) })
const MovieSection = z.object({ key: ItemId, type: z.literal('movie') })
const Listing = Container({ Metadata: z.array(z.unknown()).default([]), totalSize: z.int().min(0).optional() })
const Clients = Container({ Server: ShortList.default([]) })
const Client = z.object({
  name: Name,
  machineIdentifier: ItemId,
  product: Name,
  protocolCapabilities: z.string().transform((text) => text.split(',')),
})
const Accounts = Container({ Account: z.array(z.unknown()).default([]) })
/** The account 0 is that of players without one, and has no name. */
const OneAccount = z
  .object({ id: z.int().min(1), name: Name })
  .transform(({ id, name }): Account => ({ accountId: String(id), name }))
const TransientToken = Container({ token: z.string().regex(/^[\w-]{1,200}$/u) })
const PlayQueue = Container({ playQueueID: z.int().min(1) })

/** A movie as Plex names it. */
export const PlexItem = z
  .object({
    ratingKey: ItemId,
    title: Title,
    year: Year.optional(),
    guid: z.string().nullish().catch(null),
    Guid: z
      .array(z.object({ id: z.string() }))
      .nullish()
      .catch(null),
  })
  .transform(({ ratingKey: itemId, title, year = null, guid, Guid: guids }): ServerMovie => {
    const ids = new Map([guid ?? '', ...(guids ?? []).map(({ id }) => id)].flatMap((text) => idOf(text)))
    return {
      itemId,
      title,
      year,
      ...idsOf({ tmdb: ids.get('tmdb'), imdb: ids.get('imdb'), wikidata: ids.get('wikidata') }),
    }
  })

/** From `tmdb://348`, or `com.plexapp.agents.themoviedb://348?lang=en` of the agents before 2020. */
function idOf(guid: string): [string, string][] {
  const { source, id } = /^(?:com\.plexapp\.agents\.)?(?<source>\w+):\/\/(?<id>\w+)(?:\?|$)/u.exec(guid)?.groups ?? {}
  if (source === undefined || id === undefined) return []
  return [[source === 'themoviedb' ? 'tmdb' : source, id]]
}

export function openPlex(connection: Connection, options: MediaFetchOptions): MediaServerPort {
  const keyHeaders = {
    'x-plex-token': connection.token,
    'x-plex-client-identifier': CLIENT_NAME,
    'x-plex-product': CLIENT_NAME,
  }
  const client = createMediaClient(connection, { keyHeaders, open: [IDENTITY] }, options)

  async function meet(signal: AbortSignal) {
    const { MediaContainer: seen } = await client.ask(IDENTITY, Identity, { signal })
    requireVersion(seen.version, FIRST_VERSION)
    return { machineId: seen.machineIdentifier, version: seen.version }
  }

  async function identify(signal: AbortSignal) {
    await meet(signal)
    const { MediaContainer: root } = await client.ask('/', Root, { signal })
    return { machineId: root.machineIdentifier, name: root.friendlyName, version: root.version.slice(0, 40) }
  }

  return {
    identify,
    meet,
    listAccounts: async (signal) => {
      const { MediaContainer: found } = await client.ask('/accounts', Accounts, { signal })
      return found.Account.slice(0, MAX_ACCOUNTS).flatMap((one) => OneAccount.safeParse(one).data ?? [])
    },
    // The key is the token of the server's owner, so the mark is theirs.
    mark: async ({ userId, itemId, isSeen }, signal) => {
      if (userId !== PLEX_OWNER) throw new NothingToMark()
      const query = { key: itemId, identifier: 'com.plexapp.plugins.library' }
      const status = await client.send(isSeen ? '/:/scrobble' : '/:/unscrobble', { query, signal })
      if (status === 404) throw new NothingToMark()
      if (status < 200 || status > 299) throw new MediaServerFault('unreachable', `marking was answered with ${status}`)
    },
    listMovies: (signal) => eachOnce(moviesOf(client, signal)),
    listPlayers: async (signal) => {
      const { MediaContainer: found } = await client.ask('/clients', Clients, { signal })
      return found.Server.flatMap((one) => playerOf(Client.safeParse(one).data))
    },
    play: async (player, itemId, signal) => {
      if (!ItemId.safeParse(player).success) throw new PlayerGone()
      const { machineId } = await identify(signal)
      await play(client, { url: connection.url, machineId, player, itemId }, signal)
    },
    linkTo: (openUrl, machineId, itemId) => {
      const key = encodeURIComponent(`/library/metadata/${itemId}`)
      const isHosted = URL.parse(openUrl)?.hostname === HOSTED_APP
      const app = isHosted ? `https://${HOSTED_APP}/desktop/` : `${baseOf(openUrl)}/web/index.html`
      return `${app}#!/server/${encodeURIComponent(machineId)}/details?key=${key}`
    },
  }
}

/** The movies of all libraries for movies, one after the other. */
async function* moviesOf(client: MediaClient, signal: AbortSignal): AsyncGenerator<readonly ServerMovie[]> {
  const { MediaContainer: all } = await client.ask('/library/sections', Sections, { signal })
  const reading = startReading()
  for (const section of all.Directory) {
    const { data } = MovieSection.safeParse(section)
    if (!data) continue
    const path = `/library/sections/${data.key}/all`
    const readPage = async (start: number) => {
      const query = { type: MOVIE_TYPE, includeGuids: '1', sort: 'addedAt', ...WITHOUT }
      const headers = {
        'x-plex-container-start': String(start),
        'x-plex-container-size': String(MOVIES_PER_PAGE),
      }
      const { MediaContainer: page } = await client.ask(path, Listing, { query, headers, pageOf: reading, signal })
      return { items: page.Metadata, total: page.totalSize }
    }
    yield* pagesOf(reading, readPage, PlexItem)
  }
}

function playerOf(found: z.output<typeof Client> | undefined): Player[] {
  if (found?.protocolCapabilities.includes('playback') !== true) return []
  return [{ sessionId: found.machineIdentifier, device: found.name, app: found.product, user: null }]
}

/**
 * The server hands the command to the player, which fetches the movie by itself. The player gets a token that ends after
 * two days, and never the key.
 */
async function play(
  client: MediaClient,
  { url, machineId, player, itemId }: { url: string; machineId: string; player: string; itemId: string },
  signal: AbortSignal,
): Promise<void> {
  const key = `/library/metadata/${itemId}`
  const { MediaContainer: queue } = await client.ask('/playQueues', PlayQueue, {
    method: 'POST',
    query: { type: 'video', uri: `server://${machineId}/com.plexapp.plugins.library${key}` },
    signal,
  })
  const { MediaContainer: temporary } = await client.ask('/security/token', TransientToken, {
    method: 'POST',
    query: { type: 'delegation', scope: 'all' },
    signal,
  })
  const { protocol, hostname, port } = new URL(url)
  const status = await client.send('/player/playback/playMedia', {
    query: {
      providerIdentifier: 'com.plexapp.plugins.library',
      machineIdentifier: machineId,
      protocol: protocol.replace(':', ''),
      address: hostname.replaceAll(/^\[|\]$/gu, ''),
      port: port || (protocol === 'https:' ? '443' : '80'),
      offset: '0',
      key,
      type: 'video',
      containerKey: `/playQueues/${queue.playQueueID}?window=100&own=1`,
      commandID: '1',
      token: temporary.token,
    },
    headers: { 'x-plex-target-client-identifier': player },
    signal,
  })
  if (status === 404) throw new PlayerGone()
  if (status < 200 || status > 299) throw new PlayRefused(status)
}
