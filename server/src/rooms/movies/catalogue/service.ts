import pLimit from 'p-limit'

import type { CatalogueMovie, CatalogueResult } from '@marquee/contract/entities/catalogue'
import type { Movie } from '@marquee/contract/entities/movie'
import { Problem } from '@marquee/contract/problems'

import { DecoderBusy, type Images, UndecodableImage } from '../images/service.ts'
import { type Lookup, type LookupOptions, type LookupPorts, openLookup, type Picture } from './lookup.ts'
import { createPosters } from './posters.ts'
import { type MovieDetails, OwnLimitReached, SourceUnavailable } from './source.ts'

export { OwnLimitReached, SourceUnavailable, UnexpectedAnswer } from './source.ts'
export {
  type Offers,
  openBoxProviders,
  openWatchProviders,
  type WatchProviderOptions,
  type WatchProviders,
} from './watch-providers.ts'
export type { ClientPorts } from './client.ts'

/** A reply takes at most six seconds, with time left to store the picture. */
const DEADLINE_MS = 5_000

/** In the background movies are looked up one by one, and so are the requests for each. */
const BACKGROUND_DEADLINE_MS = 8_000

/** A picture found in the background is for readers of any language. */
const PICTURE_LANGUAGE = 'en'

export type CatalogueOptions = LookupOptions & { readonly masterKeys: readonly Buffer[] }

export type CataloguePorts = LookupPorts & {
  readonly images: Pick<Images, 'keepFetched' | 'urlOf'>
  readonly publicUrl: string
  /** Missing if the operator switched the catalogue off. */
  readonly catalogue?: CatalogueOptions | undefined
}

/** Who asks, and until when. */
type Asking = { readonly userId: string; readonly deadline: AbortSignal }

/** A movie without its picture is still of use. */
const LEAVES_NO_PICTURE = [UndecodableImage, DecoderBusy, SourceUnavailable]

type MovieOfCard = { readonly title: string; readonly movie: Movie | null }

/** Finds movies. Each function throws a `Problem` NOT_FOUND while the catalogue is switched off. */
export type Catalogue = {
  readonly search: (text: string, language: string) => Promise<CatalogueResult[]>
  /** The picture of the movie is stored for this user. */
  readonly details: (movie: { source: string; id: string; language: string }, userId: string) => Promise<CatalogueMovie>
  /** @throws {Problem} BAD_REQUEST if no movie is found at the link */
  readonly fromLink: (link: { url: string; language: string }, userId: string) => Promise<CatalogueMovie>
  /** Stores the picture of a movie for this user, in the background, and returns its name; undefined if there is none. */
  readonly keepPicture: (card: MovieOfCard, userId: string, stopping: AbortSignal) => Promise<string | undefined>
  /** The picture of a result, by the address that `posterUrl` carries, with its signature. */
  readonly poster: (picture: string, signature: string) => Promise<Picture>
}

export function createCatalogue({ catalogue: options, images, publicUrl, ...ports }: CataloguePorts): Catalogue {
  if (!options) return OFF
  const lookup = openLookup(options, ports)
  const posters = createPosters(lookup, options.masterKeys, publicUrl)

  const keepPicture = pictureKeeper(lookup, images)

  async function present({ title, description, picture, movie }: MovieDetails, asking: Asking) {
    return { title, description, posterUrl: await keepPicture(picture, movie.source, asking), movie }
  }

  return {
    search: async (text, language) => {
      const found = await lookup.search(text, language, AbortSignal.timeout(DEADLINE_MS))
      return found.map(({ picture, directors, ...movie }) => ({
        ...movie,
        source: lookup.source,
        directors: [...directors],
        posterUrl: posters.urlOf(picture),
      }))
    },

    details: async ({ source, id, language }, userId) => {
      const deadline = AbortSignal.timeout(DEADLINE_MS)
      const movie = source === lookup.source ? await lookup.details(id, language, deadline) : undefined
      if (!movie) throw new Problem('NOT_FOUND')
      return await present(movie, { userId, deadline })
    },

    fromLink: async ({ url, language }, userId) => {
      const deadline = AbortSignal.timeout(DEADLINE_MS)
      const movie = await lookup.fromLink(url, language, deadline)
      if (!movie) throw new Problem('BAD_REQUEST', 'No movie was found at this link')
      return await present(movie, { userId, deadline })
    },

    keepPicture: backgroundKeeper(lookup.inBackground, images),

    poster: async (picture, signature) => {
      const found = await posters.find(picture, signature)
      if (!found) throw new Problem('NOT_FOUND')
      return found
    },
  }
}

/** Stores a picture like an upload, so that a card can use it. */
function pictureKeeper(lookup: Lookup, images: CataloguePorts['images']) {
  return async (address: string | null, namedBy: string | null, { userId, deadline }: Asking) => {
    try {
      const picture = address === null ? undefined : await lookup.picture(address, namedBy, deadline)
      return picture ? images.urlOf(await images.keepFetched(picture.bytes, userId)) : null
    } catch (error) {
      if (LEAVES_NO_PICTURE.some((kind) => error instanceof kind)) return null
      throw error
    }
  }
}

function backgroundKeeper(lookup: Lookup, images: CataloguePorts['images']): Catalogue['keepPicture'] {
  const oneByOne = pLimit(1)

  /** A slow source must not hold up everything that copies pictures. */
  function requireTurn(): void {
    if (oneByOne.pendingCount > 0) throw new OwnLimitReached(lookup.source, 'other movies are looked up')
  }

  async function find({ title, movie }: MovieOfCard, stopping: AbortSignal): Promise<Picture | undefined> {
    const deadline = AbortSignal.any([stopping, AbortSignal.timeout(BACKGROUND_DEADLINE_MS)])
    const year = movie?.year ?? null
    const link = { ids: movie?.ids ?? {}, ...(year !== null && { titleAndYear: { title, year } }) }
    const found = await lookup.match(link, PICTURE_LANGUAGE, deadline)
    return found?.picture ? await lookup.picture(found.picture, found.movie.source, deadline) : undefined
  }

  return async (card, userId, stopping) => {
    requireTurn()
    const picture = await oneByOne(async () => await find(card, stopping))
    return picture && (await images.keepFetched(picture.bytes, userId))
  }
}

const switchedOff = async (): Promise<never> => {
  throw new Problem('NOT_FOUND', 'The movie catalogue is switched off')
}
const OFF: Catalogue = {
  search: switchedOff,
  details: switchedOff,
  fromLink: switchedOff,
  keepPicture: switchedOff,
  poster: switchedOff,
}
