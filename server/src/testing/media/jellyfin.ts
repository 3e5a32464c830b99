import { createHash } from 'node:crypto'

import { BOOLEAN, listOf, type Operation, WHOLE_NUMBER } from './description.ts'
import { type LibraryFilm, pageOf } from './library.ts'
import type { MediaService, ServiceState } from './service.ts'
import { jellyfinUsers, userIn } from './users.ts'

const DEFAULT_LIMIT = 100
const GUID = /^[\da-f]{32}$/u
const ITEM_FIELDS = ['ProviderIds', 'ProductionYear', 'DateCreated', 'SortName', 'Path', 'Overview', 'Genres']
const SORTS = ['DateCreated', 'SortName', 'ProductionYear', 'PremiereDate', 'Random']

const guidOf = (text: string) => createHash('md5').update(text).digest('hex')

/** Emby counts its items; Jellyfin hashes their paths. */
const itemIdOf = (kind: string, film: LibraryFilm, place: number) =>
  film.id ?? (kind === 'emby' ? String(1000 + place) : guidOf(`/films/${place}`))

/** Names in the case of the description: Jellyfin's begin with a small letter, Emby's with a capital. */
const inCase = (kind: string, query: Record<string, RegExp>) =>
  Object.fromEntries(Object.entries(query).map(([name, pattern]) => [nameIn(kind, name), pattern]))
const nameIn = (kind: string, name: string) =>
  kind === 'emby' ? `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}` : name

/** Jellyfin 10.8 and later, from the types of its SDK, or Emby 4.7 and later, from its REST reference. */
export function jellyfinService(kind: 'jellyfin' | 'emby', state: ServiceState): MediaService {
  const name = (text: string) => nameIn(kind, text)
  const info = () => ({
    LocalAddress: 'http://172.17.0.2:8096',
    ServerName: state.name,
    Version: state.version,
    ...(kind === 'jellyfin' && { ProductName: 'Jellyfin Server', OperatingSystem: '', StartupWizardCompleted: true }),
    Id: state.machineId,
  })

  const items: Operation = {
    method: 'GET',
    path: /^\/Items$/u,
    query: inCase(kind, {
      recursive: BOOLEAN,
      includeItemTypes: listOf('Movie', 'Series', 'Episode'),
      fields: listOf(...ITEM_FIELDS),
      sortBy: listOf(...SORTS),
      sortOrder: listOf('Ascending', 'Descending'),
      startIndex: WHOLE_NUMBER,
      limit: WHOLE_NUMBER,
      enableImages: BOOLEAN,
      enableUserData: BOOLEAN,
    }),
    answer: ({ query }) => {
      const start = Number(query[name('startIndex')] ?? 0)
      const limit = Math.min(Number(query[name('limit')] ?? DEFAULT_LIMIT), state.pageSize)
      const fields = (query[name('fields')] ?? '').split(',')
      const isMovies = query[name('includeItemTypes')] === 'Movie' && query[name('recursive')] === 'true'
      const page = isMovies ? pageOf(state.library, start, limit) : []
      return {
        status: 200,
        body: {
          Items: page.map(({ film, place }) => itemOf(kind, film, place, fields)),
          TotalRecordCount: isMovies ? state.library.count : 0,
          ...(kind === 'jellyfin' && { StartIndex: start }),
        },
      }
    },
  }
  const sessions: Operation = {
    method: 'GET',
    path: /^\/Sessions$/u,
    query: inCase(kind, { controllableByUserId: GUID, deviceId: /./u }),
    answer: () => ({ status: 200, body: state.players.map((player) => sessionOf(player)) }),
  }
  const playing: Operation = {
    method: 'POST',
    path: /^\/Sessions\/(?<sessionId>[^/]+)\/Playing$/u,
    query: inCase(kind, {
      playCommand: /^(?:PlayNow|PlayNext|PlayLast)$/u,
      itemIds: kind === 'emby' ? /^\d+(?:,\d+)*$/u : /^[\da-f]{32}(?:,[\da-f]{32})*$/u,
      startPositionTicks: WHOLE_NUMBER,
    }),
    required: [name('playCommand'), name('itemIds')],
    hasBody: kind === 'emby',
    answer: ({ query }, { sessionId = '' }) => {
      const player = state.players.find(({ id }) => id === sessionId)
      if (!player) return { status: 404, body: 'Session not found.' }
      if (player.isControllable === false) return { status: 400, body: 'Error processing request.' }
      state.played.push({ player: sessionId, itemId: query[name('itemIds')] ?? '' })
      return { status: 204 }
    },
  }
  return {
    itemIdOf: (film, place) => itemIdOf(kind, film, place),
    isKey: ({ headers }) =>
      kind === 'emby'
        ? headers['x-emby-token'] === state.key
        : tokenIn(String(headers.authorization ?? '')) === state.key,
    userOf: (asked) => userIn(state, asked),
    operations: [
      { method: 'GET', path: /^\/System\/Info\/Public$/u, isOpen: true, answer: () => ({ status: 200, body: info() }) },
      {
        method: 'GET',
        path: /^\/System\/Info$/u,
        answer: () => ({ status: 200, body: { ...info(), HasPendingRestart: false, WebSocketPortNumber: 8096 } }),
      },
      items,
      sessions,
      playing,
      ...jellyfinUsers(kind, state),
    ],
  }
}

/** `MediaBrowser Client="…", Device="…", DeviceId="…", Version="…", Token="…"`; anything else has no token. */
function tokenIn(authorization: string): string | undefined {
  const [, list = ''] = /^MediaBrowser ((?:\w+="[^"]*"(?:, |$))+)$/u.exec(authorization) ?? []
  const values = new Map([...list.matchAll(/(\w+)="([^"]*)"/gu)].map(([, name = '', value = '']) => [name, value]))
  const hasAll = ['Client', 'Device', 'DeviceId', 'Version'].every((name) => values.get(name))
  return hasAll ? values.get('Token') : undefined
}

function itemOf(kind: 'jellyfin' | 'emby', film: LibraryFilm, place: number, fields: readonly string[]) {
  const ids = { Tmdb: film.tmdb, Imdb: film.imdb, Wikidata: film.wikidata }
  const hasYear = film.year !== undefined && (kind === 'jellyfin' || fields.includes('ProductionYear'))
  return {
    Name: film.title,
    ServerId: 'a-server',
    Id: itemIdOf(kind, film, place),
    ...(hasYear && { ProductionYear: film.year }),
    RunTimeTicks: 69_990_000_000,
    IsFolder: false,
    Type: 'Movie',
    MediaType: 'Video',
    ImageTags: {},
    ...(fields.includes('ProviderIds') && { ProviderIds: ids }),
  }
}

function sessionOf({ id, device, app, user, isControllable = true, isVideo = true }: ServiceState['players'][number]) {
  return {
    PlayState: { CanSeek: false, IsPaused: false, IsMuted: false },
    AdditionalUsers: [],
    RemoteEndPoint: '192.168.1.20',
    PlayableMediaTypes: isVideo ? ['Audio', 'Video'] : ['Audio'],
    Id: id,
    ...(user !== undefined && { UserId: guidOf(user), UserName: user }),
    Client: app,
    DeviceName: device,
    DeviceId: guidOf(device),
    ApplicationVersion: '1.0.0',
    SupportsMediaControl: isControllable,
    SupportsRemoteControl: isControllable,
    SupportedCommands: ['Mute', 'DisplayMessage'],
  }
}
