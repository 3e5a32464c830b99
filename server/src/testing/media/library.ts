import { FILMS } from '../catalogue/films.ts'

/** A movie on a media server. */
export type LibraryFilm = {
  /** The id of the item at the server; without it, one made from its place. */
  readonly id?: string
  readonly title: string
  readonly year?: number | undefined
  readonly tmdb?: string | undefined
  readonly imdb?: string | undefined
  readonly wikidata?: string | undefined
}

/** What a server has; films are made when they are asked for. */
export type Library = { readonly count: number; readonly film: (index: number) => LibraryFilm }

/** The real films of the catalogue's stand-in, with the ids that are certain. */
export const REAL_FILMS: readonly LibraryFilm[] = FILMS.map(({ title, year, ids: { tmdb, imdb, wikidata } }) => ({
  title,
  year,
  tmdb,
  imdb,
  wikidata,
}))

export function libraryOf(films: readonly LibraryFilm[]): Library {
  return { count: films.length, film: (index) => films[index] ?? { title: `Film ${index}` } }
}

/** Films with ids, as many as a test needs. */
export function manyFilms(count: number): Library {
  return {
    count,
    film: (index) => ({ title: `Film ${index}`, year: 1920 + (index % 100), tmdb: String(1_000_000 + index) }),
  }
}

/** The films of one page, with their places. */
export function pageOf({ count, film }: Library, start: number, limit: number) {
  const length = Math.max(0, Math.min(limit, count - start))
  return Array.from({ length }, (_, place) => ({ place: start + place, film: film(start + place) }))
}
