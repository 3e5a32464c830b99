import { z } from 'zod'

import { MAX_CATALOGUE_RESULTS } from '../base/limits.ts'
import { Movie, MovieSource } from './movie.ts'

/** One movie that a search found. `source` and `id` together name it in `readCatalogueMovie`. */
export const CatalogueResult = z.object({
  source: MovieSource,
  id: z.string(),
  title: z.string(),
  originalTitle: z.string().nullable(),
  year: z.number().int().nullable(),
  directors: z.array(z.string()),
  posterUrl: z.string().nullable(),
})
export type CatalogueResult = z.infer<typeof CatalogueResult>

export const CatalogueResults = z.object({ results: z.array(CatalogueResult).max(MAX_CATALOGUE_RESULTS) })

/** What fills the form of a card. `posterUrl` is an image on this server, which `addCard` accepts as `image`. */
export const CatalogueMovie = z.object({
  title: z.string(),
  description: z.string().nullable(),
  posterUrl: z.string().nullable(),
  movie: Movie,
})
export type CatalogueMovie = z.infer<typeof CatalogueMovie>

/** The terms of TMDB require this sentence, and the TMDB logo, wherever its data is shown. */
export const TMDB_ATTRIBUTION = 'This product uses the TMDB API but is not endorsed or certified by TMDB.'
