import type { Movie, MovieIds } from '@marquee/contract/entities/movie'
import { Outage } from '@marquee/platform/runtime/outage'

import type { TitleQuery } from './title.ts'

/** One result of a search. `picture` is an address at the source, which only the server opens. */
export type FoundMovie = {
  readonly id: string
  readonly title: string
  readonly originalTitle: string | null
  readonly year: number | null
  readonly directors: readonly string[]
  readonly picture: string | null
}

export type MovieDetails = {
  readonly title: string
  readonly description: string | null
  readonly picture: string | null
  readonly movie: Movie
}

/** What the address of a page says about its movie, without opening the page. */
export type MovieLink = {
  readonly ids: MovieIds
  readonly wikipedia?: { readonly language: string; readonly title: string }
  /** From an address such as `/movies/alien-1979`. */
  readonly titleAndYear?: { readonly title: string; readonly year: number }
}

/** A catalogue of movies. Each function throws `SourceUnavailable` if the catalogue does not answer as documented. */
export type Source = {
  readonly name: string
  readonly search: (query: TitleQuery, language: string, deadline: AbortSignal) => Promise<FoundMovie[]>
  /** Undefined if the id is unknown or not a movie. */
  readonly details: (id: string, language: string, deadline: AbortSignal) => Promise<MovieDetails | undefined>
  /** The id at this source; undefined if the link does not say. */
  readonly fromLink: (link: MovieLink, deadline: AbortSignal) => Promise<string | undefined>
  /** The bytes of a picture whose address came from this source; undefined if the address is not the source's own. */
  readonly ownPicture: (url: URL, maxBytes: number, deadline: AbortSignal) => Promise<Buffer | undefined>
}

/** Requests of members, and apart from them those that no one waits for. */
export type OpenSource = Source & { readonly inBackground: Source }

const MIN_RETRY_SECONDS = 5

/** A source is down, slow or over its limit, or its answer makes no sense. */
export class SourceUnavailable extends Outage {
  readonly source: string
  readonly reason: string
  readonly retryAfterSeconds: number

  constructor(source: string, reason: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(`${source}: ${reason}`, { of: 'service', cause: options.cause })
    this.source = source
    this.reason = reason
    this.retryAfterSeconds = Math.max(options.retryAfterSeconds ?? 0, MIN_RETRY_SECONDS)
  }
}

/** The source answered, and not as documented. That may be about one movie only. */
export class UnexpectedAnswer extends SourceUnavailable {}

/** We have asked the source as often as we may. It has not failed. */
export class OwnLimitReached extends SourceUnavailable {}
