import { z } from 'zod'

import { list, text } from '../base/endpoint.ts'
import {
  MAX_CARD_TITLE_LENGTH,
  MAX_DIRECTOR_LENGTH,
  MAX_DIRECTORS,
  MAX_GENRE_LENGTH,
  MAX_GENRES,
  MAX_RUNTIME_MINUTES,
  MOVIE_YEARS,
} from '../base/limits.ts'

/** Where facts come from: a catalogue such as `wikidata` or `tmdb`, or `page` for a web page. */
export const MovieSource = z.string().regex(/^[a-z]{1,20}$/u, 'This is not a source')

/** A BCP 47 language tag, such as `de` or `pt-BR`. */
export const LanguageTag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/u, 'This is not a language, for example de or pt-BR')

/** The ids of one movie at other services. */
export const MovieIds = z.object({
  tmdb: z
    .string()
    .regex(/^[1-9]\d{0,9}$/u)
    .optional(),
  imdb: z
    .string()
    .regex(/^tt\d{7,10}$/u)
    .optional(),
  wikidata: z
    .string()
    .regex(/^Q[1-9]\d{0,10}$/u)
    .optional(),
  letterboxd: z
    .string()
    .regex(/^[a-z0-9_-]{1,120}$/u)
    .optional(),
})
export type MovieIds = z.output<typeof MovieIds>

/** What is known of a movie. Each fact may be missing. */
export const Movie = z.object({
  year: z.number().int().min(MOVIE_YEARS.first).max(MOVIE_YEARS.last).nullable().default(null),
  runtimeMinutes: z.number().int().min(1).max(MAX_RUNTIME_MINUTES).nullable().default(null),
  genres: list(text({ required: 'A genre has a name', max: MAX_GENRE_LENGTH }), { max: MAX_GENRES }).default([]),
  directors: list(text({ required: 'A director has a name', max: MAX_DIRECTOR_LENGTH }), {
    max: MAX_DIRECTORS,
  }).default([]),
  originalTitle: text({ required: 'A title has letters', max: MAX_CARD_TITLE_LENGTH }).nullable().default(null),
  language: LanguageTag.nullable().default(null),
  source: MovieSource.nullable().default(null),
  ids: MovieIds.default({}),
})
export type Movie = z.output<typeof Movie>
