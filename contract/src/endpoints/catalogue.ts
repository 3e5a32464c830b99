import { z } from 'zod'

import { CatalogueMovie, CatalogueResults } from '../entities/catalogue.ts'
import { LanguageTag, MovieSource } from '../entities/movie.ts'
import { MAX_CATALOGUE_QUERY_LENGTH, MAX_URL_LENGTH } from '../base/limits.ts'
import { endpoint, text } from '../base/endpoint.ts'

const language = LanguageTag.default('en')

export const CATALOGUE_ENDPOINTS = {
  searchCatalogue: endpoint('GET', '/catalogue/search', {
    summary: 'Search movies by title, best match first; a year after the title narrows the search',
    query: z.object({ q: text({ required: 'A title is required', max: MAX_CATALOGUE_QUERY_LENGTH }), language }),
    reply: CatalogueResults,
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    limit: 'catalogueSearch',
  }),
  readCatalogueMovie: endpoint('GET', '/catalogue/movies/:source/:id', {
    summary: 'Read the facts, summary and poster of a movie that a search found',
    params: z.object({ source: MovieSource, id: z.string().regex(/^\w{1,20}$/u, 'This is not an identifier') }),
    query: z.object({ language }),
    reply: CatalogueMovie,
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    limit: 'catalogueMovie',
  }),
  readCatalogueLink: endpoint('POST', '/catalogue/links', {
    summary: 'Read the movie that a link shows: TMDB, IMDb, Letterboxd, Trakt, Wikidata, Wikipedia or another page',
    body: z.object({ url: text({ required: 'A link is required', max: MAX_URL_LENGTH }), language }),
    reply: CatalogueMovie,
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    limit: 'catalogueLink',
  }),
} as const
