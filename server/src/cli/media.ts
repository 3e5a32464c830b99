import { Writable } from 'node:stream'
import { createInterface } from 'node:readline/promises'

import {
  MEDIA_SERVER_PRODUCTS,
  type MediaServerFaultKind,
  type MediaServerKind,
} from '@marquee/contract/entities/media-server'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { openMediaServer } from '../rooms/movies/media-servers/adapters/open.ts'
import {
  MediaServerFault,
  type MediaServerPort,
  type RequestServerPort,
} from '../rooms/movies/media-servers/adapters/port.ts'
import { openSeerr } from '../rooms/movies/media-servers/adapters/seerr.ts'
import { sentenceOf } from '../rooms/movies/media-servers/faults.ts'
import { mediaFetchOf } from '../settings/media-settings.ts'
import { type Command, Misuse, readOptions } from './command.ts'

/** For all films of a large server. */
const CHECK_MS = 10 * 60_000

/** What an operator can do, and an owner cannot. */
const HINTS: Partial<Readonly<Record<MediaServerFaultKind, string>>> = {
  address: 'MEDIA_SERVERS says which networks are allowed, and docs/media-servers.md which ports.',
  unreachable: 'Try the same address from this machine, or from inside the container. /etc/hosts is not read.',
  certificate: 'Give the name that is in the certificate. NODE_EXTRA_CA_CERTS adds an authority of your own.',
  version: 'Jellyfin 10.8, Emby 4.7 and Plex 1.30 are the first that are supported.',
}

/** Tries a media server as an owner connects it, and says what there is. */
export const media: Command = {
  usage: 'media check --kind jellyfin|emby|plex|seerr --url ADDRESS',
  summary:
    'Tries a media server: its name, version, films and players; or whether Seerr takes requests. Takes the key from MEDIA_SERVER_KEY, or asks for it.',
  run: async (args, settings) => {
    const { kind, url } = readArguments(args)
    const options = mediaFetchOf(settings)
    if (!options) throw new Refusal('Media servers are switched off. Set MEDIA_SERVERS.')
    const token = process.env['MEDIA_SERVER_KEY'] ?? (await askForKey())
    try {
      const signal = AbortSignal.timeout(CHECK_MS)
      if (kind === 'seerr') await checkRequests(openSeerr({ url, token }, options), signal)
      else await check(openMediaServer({ kind, url, token }, options), MEDIA_SERVER_PRODUCTS[kind], signal)
    } catch (error) {
      if (!(error instanceof MediaServerFault)) throw error
      const hint = HINTS[error.kind]
      throw new Refusal(`${sentenceOf(error)}.${hint === undefined ? '' : ` ${hint}`}`)
    }
  },
}

async function check(server: MediaServerPort, product: string, signal: AbortSignal): Promise<void> {
  const { name, version } = await server.identify(signal)
  console.log(`${name} answers: ${product} ${version}.`)
  let films = 0
  let identified = 0
  for await (const page of server.listMovies(signal)) {
    films += page.length
    identified += page.filter(({ tmdbId, imdbId, wikidataId }) => tmdbId ?? imdbId ?? wikidataId).length
  }
  console.log(`It has ${films} films, ${identified} of them with an id of TMDB, IMDb or Wikidata.`)
  const players = await server.listPlayers(signal)
  const named = players.map(({ device, app, user }) => `${device} (${app}${user === null ? '' : `, ${user}`})`)
  console.log(named.length === 0 ? 'No player can be controlled now.' : `Players: ${named.join(', ')}.`)
}

/** A film that The Movie Database has had from the beginning: Star Wars. Nothing is asked for. */
const A_FILM = '11'

async function checkRequests(server: RequestServerPort, signal: AbortSignal): Promise<void> {
  const { version } = await server.identify(signal)
  console.log(`Seerr answers: version ${version}. It accepts the key.`)
  await server.look(A_FILM, signal)
  console.log('It tells what became of a film.')
}

function readArguments(args: readonly string[]): { kind: Kind; url: string } {
  const { values, positionals } = readOptions(args, {
    allowPositionals: true,
    options: { kind: { type: 'string' }, url: { type: 'string' } },
  })
  const { kind = '', url = '' } = values
  if (positionals.length !== 1 || positionals[0] !== 'check') throw new Misuse('The only action is check.')
  if (!isKind(kind)) throw new Misuse('The kind is jellyfin, emby, plex or seerr.')
  if (url === '') throw new Misuse('Give the address of the server.')
  return { kind, url }
}

type Kind = MediaServerKind | 'seerr'

const isKind = (text: string): text is Kind => text === 'seerr' || Object.hasOwn(MEDIA_SERVER_PRODUCTS, text)

/** Reads a line that is not shown, so that the key is neither on the screen nor in the history of the shell. */
async function askForKey(): Promise<string> {
  const { stdin, stderr } = process
  const nowhere = new Writable({
    write: (_text, _encoding, done) => {
      done()
    },
  })
  if (stdin.isTTY) stderr.write('Key of the media server: ')
  const terminal = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY })
  try {
    for await (const line of terminal) return line.trim()
    return ''
  } finally {
    terminal.close()
    if (stdin.isTTY) stderr.write('\n')
  }
}
