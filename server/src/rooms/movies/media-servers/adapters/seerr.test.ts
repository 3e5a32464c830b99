import { expect, test } from 'vitest'

import { allowNetworks } from '@marquee/platform/network/allowed-networks'

import { aMediaServer, aSeerr, MEDIA_HERE } from '../../../../testing/media/a-media-server.ts'
import type { SeerrMovie, SeerrStandIn } from '../../../../testing/media/seerr.ts'
import type { Trouble } from '../../../../testing/media/stand-in.ts'
import { MediaServerFault } from './port.ts'
import { openSeerr } from './seerr.ts'

const never = new AbortController().signal
const ALIEN = '348'

const openAt = ({ url, state }: SeerrStandIn, changes: { url?: string; token?: string } = {}) =>
  openSeerr({ url: url.replace('127.0.0.1', 'home.example'), token: state.key, ...changes }, MEDIA_HERE)

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof MediaServerFault) return error.kind
    throw error
  }
}

const postsTo = (seerr: SeerrStandIn) => seerr.asked.filter(({ method }) => method === 'POST')

test('Seerr gets the key only after it has identified itself', async () => {
  const seerr = await aSeerr()

  expect(await openAt(seerr).identify(never)).toEqual({ version: '2.7.3' })

  expect(seerr.asked.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
    ['/api/v1/status', undefined],
    ['/api/v1/auth/me', 'seerr-0123456789abcdef=='],
  ])
})

test('an address may end in a slash', async () => {
  const seerr = await aSeerr()

  expect(await faultOf(openAt(seerr, { url: `${seerr.url}/` }).identify(never))).toBe('none')
})

test.each<[string, SeerrMovie | undefined, string]>([
  ['that no one asked for', undefined, 'none'],
  ['that is only known', { status: 1, requests: [] }, 'none'],
  ['that waits for approval', { status: 2, requests: [{ id: 1, status: 1 }] }, 'asked'],
  ['that is pending without a visible request', { status: 2, requests: [] }, 'asked'],
  ['whose request is approved', { status: 2, requests: [{ id: 1, status: 2 }] }, 'coming'],
  ['that is being fetched', { status: 3, requests: [{ id: 1, status: 2 }] }, 'coming'],
  ['that is partly there', { status: 4, requests: [{ id: 1, status: 2 }] }, 'partly'],
  ['that is there', { status: 5, requests: [{ id: 1, status: 5 }] }, 'here'],
  ['that was there before anyone asked', { status: 5, requests: [] }, 'here'],
  ['whose request is declined', { status: 1, requests: [{ id: 1, status: 3 }] }, 'declined'],
  [
    'whose last request is declined',
    {
      status: 1,
      requests: [
        { id: 9, status: 3 },
        { id: 2, status: 1 },
      ],
    },
    'declined',
  ],
  ['whose request failed', { status: 1, requests: [{ id: 1, status: 4 }] }, 'failed'],
  ['that is unwanted or gone, depending on the version', { status: 6, requests: [] }, 'none'],
  ['that is gone after it was there', { status: 7, requests: [{ id: 1, status: 5 }] }, 'none'],
  ['with a state of a later version', { status: 99, requests: [{ id: 1, status: 99 }] }, 'none'],
])('a movie %s gets the right state', async (_what, movie, state) => {
  const seerr = await aSeerr()
  if (movie) seerr.state.movies.set(348, movie)

  expect(await openAt(seerr).look(ALIEN, never)).toBe(state)
})

test('a movie request is sent with the id of the movie, and waits for approval', async () => {
  const seerr = await aSeerr()
  seerr.state.needsApproval = true

  expect(await openAt(seerr).ask(ALIEN, never)).toBe('asked')

  expect(postsTo(seerr).map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ mediaType: 'movie', mediaId: 348 }])
})

test('asking for a movie twice sends one request to Seerr', async () => {
  const seerr = await aSeerr()
  const port = openAt(seerr)

  expect(await port.ask(ALIEN, never)).toBe('coming')
  expect(await port.ask(ALIEN, never)).toBe('coming')

  expect(postsTo(seerr)).toHaveLength(1)
})

test('a movie that Seerr already has a request for counts as asked', async () => {
  const seerr = await aSeerr()
  // The movie is known as gone, and its request is open.
  seerr.state.movies.set(348, { status: 7, requests: [{ id: 1, status: 99 }] })

  expect(await openAt(seerr).ask(ALIEN, never)).toBe('asked')

  expect(postsTo(seerr)).toHaveLength(1)
})

test('a movie that Seerr declined before can be asked for again', async () => {
  const seerr = await aSeerr()
  seerr.state.movies.set(348, { status: 1, requests: [{ id: 1, status: 3 }] })

  expect(await openAt(seerr).ask(ALIEN, never)).toBe('coming')
})

test('a movie on the blocklist of Seerr is declined', async () => {
  const seerr = await aSeerr()
  seerr.state.blocked.add(348)

  expect(await openAt(seerr).ask(ALIEN, never)).toBe('declined')
})

test('asking for a movie that Seerr does not know fails as unreachable', async () => {
  const seerr = await aSeerr()
  seerr.state.unknown.add(348)

  expect(await faultOf(openAt(seerr).ask(ALIEN, never))).toBe('unreachable')
  expect(await faultOf(openAt(seerr).identify(never))).toBe('none')
})

test.each<[Trouble, string]>([
  ['down', 'unreachable'],
  ['error', 'unreachable'],
  ['html', 'other-server'],
  ['other', 'other-server'],
  ['redirect', 'redirect'],
  ['broken', 'unreadable'],
  ['endless', 'unreadable'],
  ['gzip', 'unreadable'],
  ['locked', 'other-server'],
])('a server with the trouble %s has the fault %s', async (trouble, fault) => {
  const seerr = await aSeerr()
  seerr.fail(trouble)

  expect(await faultOf(openAt(seerr).identify(never))).toBe(fault)
})

test.each<[Trouble, string]>([
  ['down', 'unreachable'],
  ['html', 'other-server'],
  ['other', 'other-server'],
  ['redirect', 'redirect'],
  ['broken', 'unreadable'],
  ['locked', 'key'],
])('a movie request to a server with the trouble %s has the fault %s', async (trouble, fault) => {
  const seerr = await aSeerr()
  seerr.fail(trouble)

  expect(await faultOf(openAt(seerr).ask(ALIEN, never))).toBe(fault)
})

test.each(['wrong', 'two\r\nlines', 'with space', ''])(
  'a call with the wrong key %j has the fault key',
  async (token) => {
    const seerr = await aSeerr()

    expect(await faultOf(openAt(seerr, { token }).identify(never))).toBe('key')
  },
)

test('another product at the address has the fault other-server and does not get the key', async () => {
  const jellyfin = await aMediaServer('jellyfin')
  const target = { url: jellyfin.url.replace('127.0.0.1', 'home.example'), token: 'a-key' }

  expect(await faultOf(openSeerr(target, MEDIA_HERE).identify(never))).toBe('other-server')
  expect(jellyfin.takeDeviations()).toEqual(['GET /api/v1/status: is not described'])
  expect(JSON.stringify(jellyfin.asked)).not.toContain('a-key')
})

test.each([
  'http://169.254.169.254',
  'ftp://home.example',
  'http://user:secret@home.example',
  'http://127.0.0.1:22',
  'seerr',
])('the address %s is not allowed', async (url) => {
  const reach = { ...MEDIA_HERE, allowAddress: allowNetworks('private'), allowPort: (port: number) => port === 5055 }

  expect(await faultOf(openSeerr({ url, token: 'key' }, reach).identify(never))).toBe('address')
})

test('looking up an id that The Movie Database cannot have fails', async () => {
  const seerr = await aSeerr()

  expect(await faultOf(openAt(seerr).look('0348', never))).toBe('unreachable')
  expect(await faultOf(openAt(seerr).look('../status', never))).toBe('unreachable')
})
