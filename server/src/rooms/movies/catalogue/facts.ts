import type { z } from 'zod'

import { Movie, MovieIds } from '@marquee/contract/entities/movie'
import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH, MAX_DIRECTORS, MAX_GENRES } from '@marquee/contract/limits'

/** The facts of a source, not yet held to any limit. */
export type RawFacts = {
  readonly source: string
  readonly year: number | null
  readonly runtimeMinutes: number | null
  readonly genres: readonly string[]
  readonly directors: readonly string[]
  readonly originalTitle: string | null
  readonly language: string | null
  readonly ids: Readonly<Partial<Record<keyof MovieIds, string | null | undefined>>>
}

const { year, runtimeMinutes, genres, directors, originalTitle, language } = Movie.shape

/** Keeps what fits the limits of a card: one odd fact must not cost the others. */
export function movieOf(facts: RawFacts): Movie {
  return {
    source: facts.source,
    year: year.catch(null).parse(facts.year),
    runtimeMinutes: runtimeMinutes.catch(null).parse(facts.runtimeMinutes),
    genres: fitting(genres.unwrap().element, facts.genres).slice(0, MAX_GENRES),
    directors: fitting(directors.unwrap().element, facts.directors).slice(0, MAX_DIRECTORS),
    originalTitle: originalTitle.catch(null).parse(facts.originalTitle),
    language: language.catch(null).parse(facts.language),
    ids: idsOf(facts.ids),
  }
}

export function titleOf(title: string): string {
  return shorten(title, MAX_CARD_TITLE_LENGTH)
}

export function descriptionOf(description: string | null | undefined): string | null {
  return shorten(description ?? '', MAX_CARD_DESCRIPTION_LENGTH) || null
}

function shorten(text: string, max: number): string {
  const clean = text.replaceAll('\u0000', '').trim()
  return clean.length <= max ? clean : `${clean.slice(0, max - 1).toWellFormed()}…`
}

/** The different values that the schema accepts. */
function fitting(schema: z.ZodType<string>, values: readonly string[]): string[] {
  return [...new Set(values.flatMap((value) => schema.safeParse(value).data ?? []))]
}

function idsOf(ids: RawFacts['ids']): MovieIds {
  const { tmdb, imdb, wikidata, letterboxd } = MovieIds.shape
  return MovieIds.parse({
    tmdb: tmdb.catch(undefined).parse(ids.tmdb),
    imdb: imdb.catch(undefined).parse(ids.imdb),
    wikidata: wikidata.catch(undefined).parse(ids.wikidata),
    letterboxd: letterboxd.catch(undefined).parse(ids.letterboxd),
  })
}
