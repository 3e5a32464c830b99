import { z } from 'zod'

import type { LookupOptions } from '../rooms/movies/catalogue/lookup.ts'
import type { WatchProviderOptions } from '../rooms/movies/catalogue/watch-providers.ts'

const HTTP = { protocol: /^https?$/u, error: 'Must be an http:// or https:// address' }
const PLACE = '{language}'

/** The settings of the movie catalogue. */
export const CATALOGUE_SETTINGS = {
  CATALOGUE: z
    .enum(['wikidata', 'tmdb', 'off'], { error: 'Must be wikidata, tmdb or off' })
    .default('wikidata')
    .describe(
      'The [catalogue](product/catalogue.md) in which members find movies. `wikidata`: Wikidata and Wikipedia, without an account. `tmdb`: The Movie Database, with `TMDB_TOKEN`.',
    ),
  WATCH_PROVIDERS: z
    .enum(['tmdb', 'off'], { error: 'Must be tmdb or off' })
    .default('off')
    .describe(
      '`tmdb`: members see [where a movie can be watched](product/availability.md), from The Movie Database, with `TMDB_TOKEN`. It does not depend on `CATALOGUE`.',
    ),
  TMDB_TOKEN: z
    .string()
    .regex(/^[\w.-]+$/u, 'Must be an API read access token')
    .optional()
    .describe(
      'The API read access token of your account at The Movie Database. Required with `CATALOGUE=tmdb` and `WATCH_PROVIDERS=tmdb`.',
    ),
  TMDB_URL: z
    .url(HTTP)
    .regex(/\/3$/u, 'Must end in /3')
    .default('https://api.themoviedb.org/3')
    .describe('The API of The Movie Database, or a mirror. It may be an internal address.'),
  TMDB_IMAGES_URL: z
    .url(HTTP)
    .regex(/\/t\/p$/u, 'Must end in /t/p')
    .default('https://image.tmdb.org/t/p')
    .describe('The images of The Movie Database, or a mirror. It may be an internal address.'),
  WIKIDATA_URL: z
    .url(HTTP)
    .regex(/\/w\/api\.php$/u, 'Must end in /w/api.php')
    .default('https://www.wikidata.org/w/api.php')
    .describe('The API of Wikidata, or a mirror. It may be an internal address.'),
  WIKIPEDIA_URL: z
    .string()
    .refine((url) => url.includes(PLACE) && z.url(HTTP).safeParse(url.replaceAll(PLACE, 'en')).success, {
      error: 'Must be an http:// or https:// address with {language}',
    })
    .default(`https://${PLACE}.wikipedia.org`)
    .describe(
      'Wikipedia, or a mirror; `{language}` is replaced by a code such as `de`. The API is expected at `/w/api.php`. It may be an internal address.',
    ),
}

type CatalogueSettings = z.output<z.ZodObject<typeof CATALOGUE_SETTINGS>>

export function refuseTmdbWithoutToken(
  { CATALOGUE, WATCH_PROVIDERS, TMDB_TOKEN }: CatalogueSettings,
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (TMDB_TOKEN !== undefined) return
  const users = [
    ...(CATALOGUE === 'tmdb' ? ['CATALOGUE'] : []),
    ...(WATCH_PROVIDERS === 'tmdb' ? ['WATCH_PROVIDERS'] : []),
  ]
  for (const name of users) {
    context.addIssue({ code: 'custom', path: ['TMDB_TOKEN'], message: `Is needed with ${name}=tmdb` })
  }
}

/** The configured source; undefined if the catalogue is switched off. */
export function catalogueSourceOf(settings: CatalogueSettings): LookupOptions['source'] | undefined {
  const { CATALOGUE: kind, TMDB_TOKEN: token = '' } = settings
  if (kind === 'off') return undefined
  if (kind === 'tmdb') return { kind, token, url: settings.TMDB_URL, imagesUrl: settings.TMDB_IMAGES_URL }
  return { kind, wikidataUrl: settings.WIKIDATA_URL, wikipediaUrl: settings.WIKIPEDIA_URL }
}

/** Where streaming services are asked for; undefined if the operator has not switched it on. */
export function watchProvidersOf({
  WATCH_PROVIDERS,
  TMDB_TOKEN: token = '',
  TMDB_URL: url,
}: CatalogueSettings): WatchProviderOptions | undefined {
  return WATCH_PROVIDERS === 'tmdb' ? { token, url } : undefined
}
