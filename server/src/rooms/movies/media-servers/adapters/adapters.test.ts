import { createServer } from 'node:https'

import { describe, expect, test } from 'vitest'

import { TRIES_ALL } from '@marquee/platform/testing/each-database'
import { allowNetworks } from '@marquee/platform/network/allowed-networks'
import { selfSigned } from '@marquee/platform/network/testing/certificate'
import { aRawServer, aWebServer, listening } from '@marquee/platform/network/testing/web-server'

import { aMediaServer, MEDIA_HERE } from '../../../../testing/media/a-media-server.ts'
import { manyFilms } from '../../../../testing/media/library.ts'
import type { MediaStandIn, Trouble } from '../../../../testing/media/stand-in.ts'
import { openMediaServer } from './open.ts'
import { type MediaFetchOptions, type MediaServerPort, MediaServerFault, type ServerMovie } from './port.ts'

const KINDS = ['jellyfin', 'emby', 'plex'] as const
/** Emby is read by the code that reads Jellyfin. */
const readsAnew = (kind: (typeof KINDS)[number]) => TRIES_ALL || kind !== 'emby'
const never = new AbortController().signal

/** The port of a stand-in under a name, as an owner would enter it. */
function openAt(
  { kind, url, state }: MediaStandIn,
  changes: { url?: string; token?: string; kind?: MediaStandIn['kind'] } = {},
) {
  const connection = { kind, url: url.replace('127.0.0.1', 'home.example'), token: state.key, ...changes }
  return openMediaServer(connection, MEDIA_HERE)
}

async function pagesOf(port: MediaServerPort): Promise<(readonly ServerMovie[])[]> {
  const pages: (readonly ServerMovie[])[] = []
  for await (const page of port.listMovies(never)) pages.push(page)
  return pages
}

const moviesOf = async (port: MediaServerPort) => (await pagesOf(port)).flat()

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof MediaServerFault) return error.kind
    throw error
  }
}

describe.each(KINDS)('%s', (kind) => {
  test('a server reports its id, name and version', async () => {
    const server = await aMediaServer(kind)

    expect(await openAt(server).identify(never)).toEqual({
      machineId: server.state.machineId,
      name: { jellyfin: 'Jellyfin at home', emby: 'Emby at home', plex: 'Plex at home' }[kind],
      version: { jellyfin: '10.10.7', emby: '4.8.11.0', plex: '1.41.3.9314-a0bfb8370' }[kind],
    })
  })

  test('a server gets the key only after it has identified itself', async () => {
    const server = await aMediaServer(kind)

    await openAt(server).identify(never)

    expect(server.asked.map(({ headers }) => JSON.stringify(headers).includes(server.state.key))).toEqual([false, true])
  })

  test('movies are read with the ids that the server knows', async () => {
    const server = await aMediaServer(kind, {
      films: [
        { title: 'Alien', year: 1979, tmdb: '348', imdb: 'tt0078748', wikidata: 'Q103569' },
        { title: 'Home', year: 2009 },
        { title: 'Untitled' },
      ],
    })

    expect(await moviesOf(openAt(server))).toEqual([
      {
        itemId: server.itemIdOf({ title: 'Alien' }, 0),
        title: 'Alien',
        year: 1979,
        tmdbId: '348',
        imdbId: 'tt0078748',
        // Plex has no ids of Wikidata.
        wikidataId: kind === 'plex' ? null : 'Q103569',
      },
      {
        itemId: server.itemIdOf({ title: 'Home' }, 1),
        title: 'Home',
        year: 2009,
        tmdbId: null,
        imdbId: null,
        wikidataId: null,
      },
      {
        itemId: server.itemIdOf({ title: 'Untitled' }, 2),
        title: 'Untitled',
        year: null,
        tmdbId: null,
        imdbId: null,
        wikidataId: null,
      },
    ])
  })

  test('impossible ids and years are left out, and items without a title are skipped', async () => {
    const server = await aMediaServer(kind, {
      films: [
        { title: ' Alien ', year: 20_000, tmdb: '0', imdb: 'https://tt', wikidata: 'Q' },
        { title: ' ', tmdb: '78' },
        { title: 'x'.repeat(5000) },
      ],
    })

    const [alien, long, ...more] = await moviesOf(openAt(server))

    expect(alien).toMatchObject({ title: 'Alien', year: null, tmdbId: null, imdbId: null, wikidataId: null })
    expect(long?.title).toBe('x'.repeat(300))
    expect(more).toEqual([])
  })

  test('reading a server without movies returns an empty list', async () => {
    expect(await moviesOf(openAt(await aMediaServer(kind, { films: [] })))).toEqual([])
  })

  test.each([500, 120])(
    'all movies are read once in pages of %i, even if the server repeats some',
    async (pageSize) => {
      const { film } = manyFilms(1200)
      const server = await aMediaServer(kind, {
        // The last hundred are again the first.
        library: { count: 1300, film: (index) => ({ ...film(index % 1200), id: String(7000 + (index % 1200)) }) },
      })
      server.state.pageSize = pageSize

      const movies = await moviesOf(openAt(server))

      expect(movies.map(({ itemId }) => itemId)).toEqual(
        Array.from({ length: 1200 }, (_, index) => String(7000 + index)),
      )
    },
  )

  test.runIf(readsAnew(kind))(
    'reading stops after 100,000 movies, in pages of 500',
    async () => {
      const server = await aMediaServer(kind, { library: manyFilms(100_700) })

      const pages = await pagesOf(openAt(server))

      expect(pages.map(({ length }) => length)).toEqual(Array.from({ length: 200 }, () => 500))
    },
    120_000,
  )

  test.runIf(readsAnew(kind))(
    'reading stops if a server sends the same page again and again',
    async () => {
      const server = await aMediaServer(kind, {
        library: { count: 1_000_000_000, film: () => ({ title: 'Again', id: '7' }) },
      })
      server.state.pageSize = 1
      server.state.libraries = 3

      expect(await moviesOf(openAt(server))).toHaveLength(1)
      expect(server.asked.length).toBeLessThan(500)
    },
    60_000,
  )

  test.runIf(readsAnew(kind))(
    'reading stops after 64 MB',
    async () => {
      const title = 'x'.repeat(6_000)
      const server = await aMediaServer(kind, { library: { count: 20_000, film: () => ({ title }) } })

      const { length } = await moviesOf(openAt(server))

      expect(length).toBeGreaterThan(10_000)
      expect(length).toBeLessThan(12_000)
    },
    120_000,
  )

  test.runIf(kind === 'plex')(
    'the limit of 100,000 movies counts all libraries of a server together',
    async () => {
      const server = await aMediaServer(kind, { library: manyFilms(30_000) })
      server.state.libraries = 5
      const before = server.asked.length

      expect(await moviesOf(openAt(server))).toHaveLength(30_000)
      // That of the libraries, and 200 pages.
      expect(server.asked.length - before).toBe(201)
    },
    120_000,
  )

  test('only players that can be controlled are listed', async () => {
    const server = await aMediaServer(kind, {
      players: [
        { id: 'tv', device: 'Television', app: 'Living room app', user: 'Lea' },
        { id: 'phone', device: 'Telephone', app: 'App', isControllable: false },
      ],
    })

    expect(await openAt(server).listPlayers(never)).toEqual([
      { sessionId: 'tv', device: 'Television', app: 'Living room app', user: kind === 'plex' ? null : 'Lea' },
    ])
  })

  test('at most 100 players of a server are listed', async () => {
    const players = Array.from({ length: 150 }, (_, n) => ({ id: `tv${n}`, device: `Television ${n}`, app: 'App' }))
    const server = await aMediaServer(kind, { players })

    expect(await openAt(server).listPlayers(never)).toHaveLength(100)
  })

  test('a movie plays on the chosen player', async () => {
    const server = await aMediaServer(kind, {
      players: [
        { id: 'tv', device: 'Television', app: 'App' },
        { id: 'beamer', device: 'Beamer', app: 'App' },
      ],
    })
    const port = openAt(server)
    const [, second] = await moviesOf(port)

    await port.play('beamer', second?.itemId ?? '', never)

    expect(server.state.played).toEqual([{ player: 'beamer', itemId: second?.itemId }])
  })

  test('nothing plays on a player that is gone or never existed', async () => {
    const server = await aMediaServer(kind)
    const port = openAt(server)
    const [first] = await moviesOf(port)

    for (const player of ['gone', '..', 'a/b', 'a\r\nb', '']) {
      await expect(port.play(player, first?.itemId ?? '', never)).rejects.toMatchObject({
        message: 'Media server (unreachable): the player is gone',
      })
    }
    expect(server.state.played).toEqual([])
  })

  test('nothing plays on a player that can no longer be controlled', async () => {
    const server = await aMediaServer(kind, {
      players: [{ id: 'tv', device: 'Television', app: 'App', isControllable: false }],
    })
    const port = openAt(server)
    const [first] = await moviesOf(port)

    await expect(port.play('tv', first?.itemId ?? '', never)).rejects.toMatchObject({
      message: 'Media server (unreachable): playing was answered with 400',
    })
    expect(server.state.played).toEqual([])
  })

  test.each([
    ['down', 'unreachable'],
    ['html', 'other-server'],
    ['redirect', 'redirect'],
    ['other', 'other-server'],
    ['broken', 'unreadable'],
    ['endless', 'unreadable'],
    ['deep', 'unreadable'],
    ['wide', 'unreadable'],
    ['gzip', 'unreadable'],
    ['error', 'unreachable'],
  ] satisfies [Trouble, string][])('a server with the trouble %s has the fault %s', async (trouble, fault) => {
    const server = await aMediaServer(kind)
    const port = openAt(server)
    server.fail(trouble)

    expect(await faultOf(port.identify(never))).toBe(fault)
    expect(await faultOf(moviesOf(port))).toBe(fault)
    expect(await faultOf(port.listPlayers(never))).toBe(fault)
  })

  test('a call to a server that does not answer ends at the deadline', async () => {
    const server = await aMediaServer(kind)
    server.fail('silent')

    expect(await faultOf(openAt(server).identify(AbortSignal.timeout(100)))).toBe('slow')
  })

  test.each(['another key', 'a "key"', 'a\r\nkey', ''])(
    'a call with the wrong key %j has the fault key',
    async (token) => {
      const server = await aMediaServer(kind)
      const port = openAt(server, { token })

      expect(await faultOf(port.identify(never))).toBe('key')
      expect(await faultOf(moviesOf(port))).toBe('key')
    },
  )

  test('a proxy that asks for a login has the fault other-server', async () => {
    const server = await aMediaServer(kind)
    server.fail('locked')

    expect(await faultOf(openAt(server).identify(never))).toBe('other-server')
  })

  test.each(
    {
      jellyfin: [
        ['10.7.7', 'version'],
        ['10.8.0', 'none'],
        ['10.11.3', 'none'],
        ['12.0.0', 'none'],
        ['9.99.9', 'version'],
        ['later', 'other-server'],
      ],
      emby: [
        ['4.6.7.0', 'version'],
        ['4.7.0.60', 'none'],
        ['4.10.0.1', 'none'],
        ['', 'other-server'],
      ],
      plex: [
        ['1.29.2.6364-6d72b0cf6', 'version'],
        ['1.30.0.6359-0fd1c18b1', 'none'],
        ['2.0.0.1-abc', 'none'],
        ['0.9.17.4', 'version'],
      ],
    }[kind],
  )('the version %s has the fault %s', async (version, fault) => {
    expect(await faultOf(openAt(await aMediaServer(kind, { version })).identify(never))).toBe(fault)
  })

  test.each(KINDS.filter((other) => other !== kind))(
    'a server of the kind %s has the fault other-server and does not get the key',
    async (other) => {
      const server = await aMediaServer(other)

      expect(await faultOf(openAt(server, { kind }).identify(never))).toBe('other-server')
      expect(server.asked.some(({ headers }) => JSON.stringify(headers).includes(server.state.key))).toBe(false)
      const first = kind === 'plex' ? '/identity' : '/System/Info/Public'
      const isShared = kind !== 'plex' && other !== 'plex'
      expect(server.takeDeviations()).toEqual(isShared ? [] : [`GET ${first}: is not described`])
    },
  )

  test('an address that is copied from a page of the web app works', async () => {
    const server = await aMediaServer(kind)
    const url = `${server.url.replace('127.0.0.1', 'home.example')}/web/index.html?x=1#!/home`

    expect((await openAt(server, { url }).identify(never)).machineId).toBe(server.state.machineId)
  })

  test('no fault contains the key', async () => {
    const server = await aMediaServer(kind)
    const { key } = server.state
    const troubles: Trouble[] = ['down', 'html', 'redirect', 'other', 'broken', 'gzip', 'error', 'locked']
    const told: string[] = []

    for (const trouble of troubles) {
      server.fail(trouble)
      await moviesOf(openAt(server)).catch((error: unknown) => {
        const { message, stack, cause } = error as Error
        told.push(JSON.stringify([message, stack, cause, error]))
      })
    }

    expect(told.map((text) => text.includes(key))).toEqual(troubles.map(() => false))
  })
})

/** The rule that allows the most without a list; loopback is where the stand-in would answer. */
const PRIVATE: MediaFetchOptions = { ...MEDIA_HERE, allowAddress: allowNetworks('private') }

describe.each(KINDS)('%s at a forbidden address', (kind) => {
  async function faultAt(url: string, options: MediaFetchOptions) {
    const server = await aMediaServer(kind)
    const target = url.replace('PORT', new URL(server.url).port)
    const port = openMediaServer({ kind, url: target, token: server.state.key }, options)
    const faults = [
      await faultOf(port.identify(never)),
      await faultOf(moviesOf(port)),
      await faultOf(port.listPlayers(never)),
      await faultOf(port.play('tv', '1000', never)),
      await faultOf(port.meet(never)),
      await faultOf(port.mark({ userId: '1', itemId: '1000', isSeen: true, version: '10.10.7' }, never)),
      ...(port.quickConnect
        ? [
            await faultOf(port.quickConnect.begin('10.10.7', never)),
            await faultOf(port.quickConnect.finish('secret', never)),
          ]
        : []),
      ...(port.signIn ? [await faultOf(port.signIn('Lea', 'a secret', never))] : []),
      ...(port.listAccounts ? [await faultOf(port.listAccounts(never))] : []),
    ]
    return { faults: [...new Set(faults)], asked: server.asked }
  }

  test.each([
    'http://127.0.0.1:PORT',
    'http://127.1:PORT',
    'http://2130706433:PORT',
    'http://0x7f.0.0.1:PORT',
    'http://0177.0.0.1:PORT',
    'http://0:PORT',
    'http://0.0.0.0:PORT',
    'http://[::1]:PORT',
    'http://[::]:PORT',
    'http://[::ffff:127.0.0.1]:PORT',
    'http://[::ffff:192.168.1.4]:PORT',
    'http://[64:ff9b::7f00:1]:PORT',
    'http://[64:ff9b::c0a8:104]:PORT',
    'http://100.64.0.1:PORT',
    'http://169.254.169.254:PORT',
    'http://[fe80::1]:PORT',
    'http://[fd00:ec2::254]:PORT',
    'http://224.0.0.1:PORT',
    'http://user:secret@8.8.8.8:PORT',
    'http://a@127.0.0.1:PORT',
    'https://127.0.0.1:PORT',
    'ftp://home.example:PORT',
    'file:///etc/passwd',
    'home.example',
    '//127.0.0.1:PORT',
    '',
  ])('no request goes to the address "%s"', async (url) => {
    expect(await faultAt(url, PRIVATE)).toEqual({ faults: ['address'], asked: [] })
  })

  test.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['link-local', ['169.254.169.254']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['a private address and loopback', ['192.168.1.4', '127.0.0.1']],
    ['a public address and cloud metadata', ['93.184.215.14', 'fd00:ec2::254']],
  ])('no request goes to a name that resolves to %s', async (_what, addresses) => {
    const options = { ...PRIVATE, lookup: async () => await Promise.resolve(addresses) }

    expect(await faultAt('http://innocent.example:PORT', options)).toEqual({ faults: ['address'], asked: [] })
  })
})

test('a port that is not allowed has the fault address', async () => {
  const server = await aMediaServer('jellyfin')
  const options: MediaFetchOptions = { ...MEDIA_HERE, allowPort: (port) => port === 8096 }
  const url = server.url.replace('127.0.0.1', 'home.example')

  expect(await faultOf(openMediaServer({ kind: 'jellyfin', url, token: 'key' }, options).identify(never))).toBe(
    'address',
  )
  expect(server.asked).toEqual([])
})

test('a certificate that cannot be verified has a fault of its own', async () => {
  const { port } = await listening(createServer(selfSigned('home.example'), (_request, response) => response.end('{}')))
  const server = openMediaServer({ kind: 'plex', url: `https://home.example:${port}`, token: 'key' }, MEDIA_HERE)

  expect(await faultOf(server.identify(never))).toBe('certificate')
})

test('a server that does not speak HTTP has the fault other-server', async () => {
  const { port } = await aRawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
  const server = openMediaServer({ kind: 'emby', url: `http://home.example:${port}`, token: 'key' }, MEDIA_HERE)

  expect(await faultOf(server.identify(never))).toBe('other-server')
})

test('a session that cannot play video is not listed as a player', async () => {
  const server = await aMediaServer('jellyfin', {
    players: [{ id: 'radio', device: 'Radio', app: 'App', isVideo: false }],
  })

  expect(await openAt(server).listPlayers(never)).toEqual([])
})

/** A Plex server that sends one page of these items, whatever it is asked. */
async function aPlexWith(items: readonly object[]): Promise<MediaServerPort> {
  const server = await aWebServer(({ url }, response) => {
    const isListing = url?.startsWith('/library/sections/1/all?')
    const Metadata = items.map((item, index) => ({ ratingKey: String(index), title: 'A film', ...item }))
    const Directory = [{ key: '1', type: 'movie' }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ MediaContainer: isListing ? { Metadata, totalSize: items.length } : { Directory } }))
  })
  return openMediaServer({ kind: 'plex', url: `http://home.example:${server.port}`, token: 'key' }, MEDIA_HERE)
}

test('a page that is longer than requested is read 500 movies at a time', async () => {
  const port = await aPlexWith(Array.from({ length: 1_200 }, () => ({})))

  expect((await pagesOf(port)).map(({ length }) => length)).toEqual([500, 500, 200])
})

test('ids from older Plex agents are read', async () => {
  const guids = [
    'com.plexapp.agents.imdb://tt0078748?lang=en',
    'com.plexapp.agents.themoviedb://78?lang=de',
    'local://7',
  ]
  const port = await aPlexWith(guids.map((guid) => ({ guid })))

  expect((await moviesOf(port)).map(({ imdbId, tmdbId }) => [imdbId, tmdbId])).toEqual([
    ['tt0078748', null],
    [null, '78'],
    [null, null],
  ])
})

test.each([
  ['jellyfin', 'https://films.example', 'https://films.example/web/index.html#!/details?id=i7&serverId=m1'],
  [
    'jellyfin',
    'https://example.org/jellyfin/',
    'https://example.org/jellyfin/web/index.html#!/details?id=i7&serverId=m1',
  ],
  ['emby', 'http://192.168.1.4:8096/web/index.html', 'http://192.168.1.4:8096/web/index.html#!/item?id=i7&serverId=m1'],
  [
    'plex',
    'http://192.168.1.4:32400',
    'http://192.168.1.4:32400/web/index.html#!/server/m1/details?key=%2Flibrary%2Fmetadata%2Fi7',
  ],
  ['plex', 'https://app.plex.tv', 'https://app.plex.tv/desktop/#!/server/m1/details?key=%2Flibrary%2Fmetadata%2Fi7'],
] as const)('the link to an item of %s at %s opens its page', (kind, openUrl, link) => {
  const port = openMediaServer({ kind, url: 'http://home.example', token: 'key' }, MEDIA_HERE)

  expect(port.linkTo(openUrl, 'm1', 'i7')).toBe(link)
})
