import { type Operation, WHOLE_NUMBER } from './description.ts'
import { type LibraryFilm, pageOf } from './library.ts'
import type { MediaService, ServiceState } from './service.ts'

/** The key of the first library for films. */
const FIRST_OF_FILMS = 2
const TRANSIENT = 'transient-90904684-f91a-4391-8bf7-e0dfa7240285'
const QUEUE_ID = 9631
/** The account whose token the key is. */
const OWNER = '1'
const ITEM_KEY = /^\/library\/metadata\/\d+$/u
const NAMES = /^\w+(?:,\w+)*$/u
const ORDER = /^(?:titleSort|addedAt|year)(?::desc)?$/u

const itemIdOf = (film: LibraryFilm, place: number) => film.id ?? String(2000 + place)

/** Plex Media Server 1.30 and later, from its API description; the commands to players from Plex's Remote Control API. */
export function plexService(state: ServiceState): MediaService {
  const container = (values: object) => ({ status: 200, body: { MediaContainer: { size: 1, ...values } } })
  const identity = () => ({ claimed: true, machineIdentifier: state.machineId, version: state.version })
  let queued: string | undefined

  const listing: Operation = {
    method: 'GET',
    path: /^\/library\/sections\/(?<section>\d+)\/all$/u,
    query: { type: /^[1-4]$/u, includeGuids: /^[01]$/u, sort: ORDER, excludeElements: NAMES, excludeFields: NAMES },
    headers: { 'x-plex-container-start': WHOLE_NUMBER, 'x-plex-container-size': WHOLE_NUMBER },
    answer: ({ query, headers }, { section }) => {
      const place = Number(section) - FIRST_OF_FILMS
      if (place < 0 || place >= state.libraries) return { status: 404, body: 'Not Found' }
      const start = Number(headers['x-plex-container-start'])
      const limit = Math.min(Number(headers['x-plex-container-size']), state.pageSize)
      const page = pageOf(state.library, start, limit)
      const Metadata = page.map((one) => metadataOf(one.film, one.place, query['includeGuids'] === '1'))
      return container({ size: page.length, totalSize: state.library.count, offset: start, Metadata })
    },
  }
  const queue: Operation = {
    method: 'POST',
    path: /^\/playQueues$/u,
    query: {
      type: /^video$/u,
      uri: /^server:\/\/[\da-f]{40}\/com\.plexapp\.plugins\.library\/library\/metadata\/\d+$/u,
    },
    required: ['type', 'uri'],
    answer: ({ query }) => {
      queued = /\/library\/metadata\/\d+$/u.exec(query['uri'] ?? '')?.[0]
      return container({ playQueueID: QUEUE_ID, playQueueTotalCount: 1, playQueueVersion: 1 })
    },
  }
  const playMedia: Operation = {
    method: 'GET',
    path: /^\/player\/playback\/playMedia$/u,
    query: {
      providerIdentifier: /^com\.plexapp\.plugins\.library$/u,
      machineIdentifier: /^[\da-f]{40}$/u,
      protocol: /^https?$/u,
      address: /^[\w.:-]+$/u,
      port: WHOLE_NUMBER,
      offset: WHOLE_NUMBER,
      key: ITEM_KEY,
      type: /^video$/u,
      containerKey: new RegExp(`^/playQueues/${QUEUE_ID}\\?window=\\d+&own=1$`, 'u'),
      commandID: WHOLE_NUMBER,
      token: new RegExp(`^${TRANSIENT}$`, 'u'),
    },
    required: ['machineIdentifier', 'address', 'port', 'protocol', 'key', 'containerKey', 'commandID'],
    headers: { 'x-plex-client-identifier': /./u, 'x-plex-target-client-identifier': /./u },
    answer: ({ query, headers }) => {
      const id = String(headers['x-plex-target-client-identifier'])
      const player = state.players.find((one) => one.id === id)
      if (!player) return { status: 404, body: 'Not Found' }
      if (player.isControllable === false || query['key'] !== queued) return { status: 400, body: 'Bad Request' }
      state.played.push({ player: id, itemId: queued?.replace('/library/metadata/', '') ?? '' })
      return { status: 200, body: { Response: { code: 200, status: 'OK' } } }
    },
  }
  return {
    itemIdOf,
    isKey: ({ headers }) => headers['x-plex-token'] === state.key,
    operations: [
      { method: 'GET', path: /^\/identity$/u, isOpen: true, answer: () => container(identity()) },
      { method: 'GET', path: /^\/$/u, answer: () => container({ ...identity(), friendlyName: state.name }) },
      {
        method: 'GET',
        path: /^\/library\/sections$/u,
        answer: () =>
          container({
            size: 1 + state.libraries,
            Directory: [
              { key: '1', type: 'show', title: 'Series', agent: 'tv.plex.agents.series' },
              ...Array.from({ length: state.libraries }, (_, place) => ({
                key: String(FIRST_OF_FILMS + place),
                type: 'movie',
                title: 'Films',
                agent: 'tv.plex.agents.movie',
              })),
            ],
          }),
      },
      listing,
      {
        method: 'GET',
        path: /^\/clients$/u,
        answer: () =>
          container({ size: state.players.length, Server: state.players.map((player) => clientOf(player)) }),
      },
      {
        method: 'POST',
        path: /^\/security\/token$/u,
        query: { type: /^delegation$/u, scope: /^all$/u },
        required: ['type', 'scope'],
        answer: () => container({ size: 0, token: TRANSIENT }),
      },
      queue,
      playMedia,
      {
        method: 'GET',
        path: /^\/accounts$/u,
        answer: () =>
          container({
            size: state.users.length + 1,
            identifier: 'com.plexapp.system.accounts',
            Account: [{ id: 0, key: '/accounts/0', name: '' }, ...state.users.map(accountOf)],
          }),
      },
      ...(['scrobble', 'unscrobble'] as const).map((name): Operation => ({
        method: 'GET',
        path: new RegExp(`^/:/${name}$`, 'u'),
        query: { key: /^\d+$/u, identifier: /^com\.plexapp\.plugins\.library$/u },
        required: ['key', 'identifier'],
        answer: ({ query }) => {
          state.marked.push({ userId: OWNER, itemId: query['key'] ?? '', isSeen: name === 'scrobble' })
          return { status: 200 }
        },
      })),
    ],
  }
}

function accountOf({ id, name }: ServiceState['users'][number]) {
  return { id: Number(id), key: `/accounts/${id}`, name, defaultAudioLanguage: 'en', autoSelectAudio: true }
}

function metadataOf(film: LibraryFilm, place: number, withGuids: boolean) {
  const guids = [
    ...(film.imdb === undefined ? [] : [{ id: `imdb://${film.imdb}` }]),
    ...(film.tmdb === undefined ? [] : [{ id: `tmdb://${film.tmdb}` }]),
  ]
  const ratingKey = itemIdOf(film, place)
  return {
    ratingKey,
    key: `/library/metadata/${ratingKey}`,
    guid: `plex://movie/5d77682${ratingKey}`,
    type: 'movie',
    title: film.title,
    ...(film.year !== undefined && { year: film.year }),
    duration: 7_020_000,
    addedAt: 1_600_000_000 + place,
    ...(withGuids && guids.length > 0 && { Guid: guids }),
  }
}

function clientOf({ id, device, app, isControllable = true }: ServiceState['players'][number]) {
  return {
    name: device,
    host: '192.168.1.20',
    address: '192.168.1.20',
    port: 32_500,
    machineIdentifier: id,
    version: '4.11.5',
    protocol: 'plex',
    product: app,
    deviceClass: 'stb',
    protocolVersion: '1',
    protocolCapabilities: isControllable ? 'timeline,playback,navigation,mirror,playqueues' : 'timeline',
  }
}
