import {
  MediaServerFault,
  type MediaServerOptions,
  type MediaServerPort,
} from '../../rooms/movies/media-servers/service.ts'

/** A film that the server has. */
export type Film = { readonly title: string; readonly tmdbId: string }
/** What the server has heard of a film of one of its users. */
export type SentMark = { readonly userId: string; readonly itemId: string; readonly isSeen: boolean }

/** The ids of its films are also those of its items. */
export const FILMS: readonly Film[] = [
  { title: 'Film at home', tmdbId: '900000001' },
  { title: 'Another film at home', tmdbId: '900000002' },
]
export const HOME_URL = 'http://home.example'
export const HOME_ID = 'home'
/** A server without a film. */
export const EMPTY_URL = 'http://empty.example'
export const EMPTY_ID = 'empty'

/** Media servers that know every user. While they are out, they do not answer, or their answer is lost. */
export function simulatedHome(isOut: () => boolean): { told: readonly SentMark[]; open: MediaServerOptions['open'] } {
  const told: SentMark[] = []
  const answer = async <T>(value: T): Promise<T> => {
    if (isOut()) throw new MediaServerFault('unreachable', 'out')
    return await Promise.resolve(value)
  }
  const open = ({ url, token }: { url: string; token: string }): MediaServerPort => {
    const machineId = url === HOME_URL ? HOME_ID : EMPTY_ID
    const info = { machineId, name: machineId, version: '1' }
    return {
      identify: async () => await answer(info),
      meet: async () => await answer(info),
      listMovies: async function* listFilms() {
        yield await answer(url === HOME_URL ? FILMS.map(movieOf) : [])
      },
      listPlayers: async () => await answer([]),
      play: async () => await answer(undefined),
      signIn: async (name) => await answer({ userId: name, name, token: tokenOf(name) }),
      mark: async ({ userId, itemId, isSeen }) => {
        await answer(undefined)
        if (token !== tokenOf(userId)) throw new MediaServerFault('key', 'the token of another')
        told.push({ userId, itemId, isSeen })
        await answer(undefined)
      },
      linkTo: () => url,
    }
  }
  return { told, open }
}

function movieOf({ title, tmdbId }: Film) {
  return { itemId: tmdbId, title, year: null, tmdbId, imdbId: null, wikidataId: null }
}

function tokenOf(name: string): string {
  return `token of ${name}`
}
