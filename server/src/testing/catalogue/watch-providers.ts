export type Answer = { readonly status: number; readonly body: object }

const NETFLIX = { provider_id: 8, provider_name: 'Netflix', display_priority: 0 }
const MUBI = { provider_id: 11, provider_name: 'Mubi', display_priority: 9 }
const PLUTO = { provider_id: 300, provider_name: 'Pluto TV', display_priority: 20 }
const APPLE = { provider_id: 2, provider_name: 'Apple TV', display_priority: 4 }
const AMAZON = { provider_id: 10, provider_name: 'Amazon Video', display_priority: 12 }
const ALL = [NETFLIX, MUBI, PLUTO, APPLE, AMAZON]

type Kind = 'flatrate' | 'free' | 'ads' | 'rent' | 'buy'
type Provider = (typeof ALL)[number]

/** By the id of the movie: Alien, Aliens and Blade Runner. */
const OFFERS: Readonly<Record<number, Readonly<Record<string, Partial<Record<Kind, readonly Provider[]>>>>>> = {
  348: { DE: { flatrate: [MUBI, NETFLIX], rent: [APPLE], buy: [APPLE, AMAZON] }, US: { ads: [PLUTO] } },
  679: { DE: { rent: [AMAZON, APPLE] } },
  78: { DE: { free: [PLUTO] } },
}

const withLogo = (provider: Provider) => ({ ...provider, logo_path: `/${provider.provider_id}.jpg` })

/** Only what the description of the API has is answered, so that a wrong request fails a test. */
const wrongRequest = (path: string, query: URLSearchParams): Answer => ({
  status: 400,
  body: { success: false, status_code: 5, status_message: `Invalid parameters: ${path}?${query.toString()}` },
})

/** `/movie/{id}/watch/providers`, for all countries. It has no parameters. */
export function answerOffers(path: string, query: URLSearchParams, id: number): Answer {
  if (path !== `/movie/${id}/watch/providers` || query.size > 0) return wrongRequest(path, query)
  const results = Object.entries(OFFERS[id] ?? {}).map(([country, kinds]) => [
    country,
    {
      link: `https://www.themoviedb.org/movie/${id}/watch?locale=${country}`,
      ...Object.fromEntries(Object.entries(kinds).map(([kind, providers]) => [kind, providers.map(withLogo)])),
    },
  ])
  return { status: 200, body: { id, results: Object.fromEntries(results) as object } }
}

/** `/watch/providers/movie?watch_region=DE`. */
export function answerServices(path: string, query: URLSearchParams): Answer {
  const country = query.get('watch_region') ?? ''
  const isRight = path === '/watch/providers/movie' && query.size === 1 && /^[A-Z]{2}$/u.test(country)
  if (!isRight) return wrongRequest(path, query)
  const results = ['DE', 'US'].includes(country) ? ALL : []
  const listed = results.map((provider) => ({
    ...withLogo(provider),
    display_priorities: { DE: provider.display_priority, US: 100 - provider.display_priority },
  }))
  return { status: 200, body: { results: listed } }
}
