import type { CatalogueMovie, CatalogueResult } from '@marquee/contract/entities/catalogue'
import { Problem } from '@marquee/contract/problems'

import type { Images } from '../images/service.ts'
import type { ClientPorts } from './client.ts'
import { type LookupOptions, openLookup, type Picture } from './lookup.ts'
import { createPosters } from './posters.ts'
import { type MovieDetails, SourceUnavailable } from './source.ts'

/** A reply takes at most six seconds, with time left to store the picture. */
const DEADLINE_MS = 5_000

export type CatalogueOptions = LookupOptions & { readonly masterKeys: readonly Buffer[] }

export type CataloguePorts = ClientPorts & {
  readonly images: Pick<Images, 'keepBytes' | 'urlOf'>
  readonly publicUrl: string
  /** Missing if the operator switched the catalogue off. */
  readonly catalogue?: CatalogueOptions | undefined
}

/** Finds movies. Each function throws a `Problem` NOT_FOUND while the catalogue is switched off. */
export type Catalogue = {
  readonly search: (text: string, language: string) => Promise<CatalogueResult[]>
  readonly details: (source: string, id: string, language: string) => Promise<CatalogueMovie>
  /** @throws {Problem} BAD_REQUEST if no movie is found at the link */
  readonly fromLink: (text: string, language: string) => Promise<CatalogueMovie>
  /** The picture of a result, by the address that `posterUrl` carries, with its signature. */
  readonly poster: (picture: string, signature: string) => Promise<Picture>
}

export function createCatalogue({ catalogue: options, images, publicUrl, ...ports }: CataloguePorts): Catalogue {
  if (!options) return OFF
  const lookup = openLookup(options, ports)
  const posters = createPosters(lookup, options.masterKeys, publicUrl)

  /** Stores the picture like an upload, so that a card can use it. A movie without its picture is still of use. */
  async function keepPicture(address: string | null, namedBy: string | null, deadline: AbortSignal) {
    try {
      const picture = address === null ? undefined : await lookup.picture(address, namedBy, deadline)
      return picture ? images.urlOf(await images.keepBytes(picture.bytes, 'picture')) : null
    } catch (error) {
      const isUndecodable = error instanceof Problem && error.key === 'BAD_REQUEST'
      if (isUndecodable || error instanceof SourceUnavailable) return null
      throw error
    }
  }

  async function present({ title, description, picture, movie }: MovieDetails, deadline: AbortSignal) {
    return { title, description, posterUrl: await keepPicture(picture, movie.source, deadline), movie }
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

    details: async (source, id, language) => {
      const deadline = AbortSignal.timeout(DEADLINE_MS)
      const movie = source === lookup.source ? await lookup.details(id, language, deadline) : undefined
      if (!movie) throw new Problem('NOT_FOUND')
      return await present(movie, deadline)
    },

    fromLink: async (text, language) => {
      const deadline = AbortSignal.timeout(DEADLINE_MS)
      const movie = await lookup.fromLink(text, language, deadline)
      if (!movie) throw new Problem('BAD_REQUEST', 'No movie was found at this link')
      return await present(movie, deadline)
    },

    poster: async (picture, signature) => {
      const found = await posters.find(picture, signature)
      if (!found) throw new Problem('NOT_FOUND')
      return found
    },
  }
}

const switchedOff = async (): Promise<never> => {
  throw new Problem('NOT_FOUND', 'The movie catalogue is switched off')
}
const OFF: Catalogue = { search: switchedOff, details: switchedOff, fromLink: switchedOff, poster: switchedOff }
