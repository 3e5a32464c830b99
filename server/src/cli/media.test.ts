import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { startAtUsualPort, startSeerrAtUsualPort } from '../testing/media/usual-port.ts'
import type { MediaStandIn } from '../testing/media/stand-in.ts'
import { operate } from '../testing/run-marquee.ts'

const ON = { MEDIA_SERVERS: '127.0.0.0/8' }

async function aServer(...args: Parameters<typeof startAtUsualPort>): Promise<MediaStandIn> {
  const server = await startAtUsualPort(...args)
  onTestFinished(server.stop)
  return server
}

async function check({ kind, url }: Pick<MediaStandIn, 'kind' | 'url'>, settings: Record<string, string> = ON) {
  return await operate(['media', 'check', '--kind', kind, '--url', url], settings)
}

beforeEach(() => {
  vi.stubEnv('MEDIA_SERVER_KEY', 'no-key')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['jellyfin', 'Jellyfin at home answers: Jellyfin 10.10.7.', 'Players: Television (Living room app, Lea).'],
  ['emby', 'Emby at home answers: Emby 4.8.11.0.', 'Players: Television (Living room app, Lea).'],
  ['plex', 'Plex at home answers: Plex 1.41.3.9314-a0bfb8370.', 'Players: Television (Living room app).'],
] as const)('the check prints the name, films and players of %s', async (kind, name, players) => {
  const films = [{ title: 'Alien', tmdb: '348' }, { title: 'Aliens', imdb: 'tt0090605' }, { title: 'Our holidays' }]
  const server = await aServer(kind, { films })
  vi.stubEnv('MEDIA_SERVER_KEY', server.state.key)

  expect(await check(server)).toEqual({
    code: 0,
    output: `${name}\nIt has 3 films, 2 of them with an id of TMDB, IMDb or Wikidata.\n${players}\n`,
  })
})

test('the check reports that Seerr takes requests, without sending one', async () => {
  const seerr = await startSeerrAtUsualPort()
  onTestFinished(seerr.stop)
  vi.stubEnv('MEDIA_SERVER_KEY', seerr.state.key)
  const args = ['media', 'check', '--kind', 'seerr', '--url', seerr.url]

  expect(await operate(args, ON)).toEqual({
    code: 0,
    output: 'Seerr answers: version 2.7.3. It accepts the key.\nIt tells what became of a film.\n',
  })
  expect(seerr.asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
})

test('the check reports that no player can be controlled', async () => {
  const server = await aServer('jellyfin', { players: [], films: [] })
  vi.stubEnv('MEDIA_SERVER_KEY', server.state.key)

  expect((await check(server)).output).toContain('No player can be controlled now.')
})

test('the check reports a wrong key without printing it', async () => {
  const server = await aServer('emby')

  expect(await check(server)).toEqual({ code: 1, output: 'The media server does not accept this key.\n' })
})

test('the check reports which setting forbids an address', async () => {
  const server = await aServer('plex')

  expect(await check(server, { MEDIA_SERVERS: 'private' })).toEqual({
    code: 1,
    output:
      'This address of a media server is not allowed here. MEDIA_SERVERS says which networks are allowed, and docs/media-servers.md which ports.\n',
  })
  expect(server.asked).toEqual([])
})

test('the check sends no request while media servers are switched off', async () => {
  const server = await aServer('jellyfin')

  expect(await check(server, {})).toEqual({
    code: 1,
    output: 'Media servers are switched off. Set MEDIA_SERVERS.\n',
  })
  expect(server.asked).toEqual([])
})

test.each([
  [['media']],
  [['media', 'check']],
  [['media', 'check', '--kind', 'kodi', '--url', 'http://127.0.0.1']],
  [['media', 'check', '--kind', 'plex']],
  [['media', 'try', '--kind', 'plex', '--url', 'http://127.0.0.1']],
  [['media', 'check', '--kind', 'plex', '--url', 'http://127.0.0.1', '--key', 'secret']],
])('the arguments %j are refused', async (args) => {
  expect((await operate(args, ON)).code).toBe(2)
})
