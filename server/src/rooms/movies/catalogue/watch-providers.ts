import type { StreamingService } from '@marquee/contract/entities/streaming-service'
import { z } from 'zod'

import { type ClientPorts, createSourceClient } from './client.ts'
import { LIMITS } from './tmdb.ts'
import { NAME } from './tmdb-api.ts'

/** More services than a line or a form can show. */
const MAX_OFFERS = 30
const MAX_LISTED = 400
const MAX_NAME_LENGTH = 100
const MAX_LINK_LENGTH = 500

export type WatchProviderOptions = { readonly token: string; readonly url: string }

/** Where one movie can be watched in one country. */
export type Offers = {
  readonly link: string | null
  readonly streaming: readonly StreamingService[]
  readonly paid: readonly StreamingService[]
}

/** Each function throws `SourceUnavailable` if the source does not answer as documented. */
export type WatchProviders = {
  readonly offersOf: (tmdbId: string, country: string, deadline: AbortSignal) => Promise<Offers>
  /** The services of a country, best known first. */
  readonly servicesOf: (country: string, deadline: AbortSignal) => Promise<StreamingService[]>
}

const Provider = z.object({
  provider_id: z.int().min(1),
  provider_name: z
    .string()
    .trim()
    .min(1)
    .transform((name) => name.slice(0, MAX_NAME_LENGTH).toWellFormed()),
  display_priority: z.number().default(0),
  display_priorities: z.record(z.string(), z.number()).default({}),
})
type Provider = z.output<typeof Provider>

/** A provider that cannot be read is left out. If none can be read, the source does not answer as documented. */
const Listed = z.array(z.unknown()).transform((items, context) => {
  const providers = items.flatMap((item) => Provider.safeParse(item).data ?? [])
  if (items.length > 0 && providers.length === 0)
    context.addIssue({ code: 'custom', message: 'no provider can be read' })
  return providers
})
const Providers = Listed.default([])
const OffersInCountry = z.object({
  link: z
    .url({ protocol: /^https$/u })
    .max(MAX_LINK_LENGTH)
    .nullable()
    .catch(null),
  flatrate: Providers,
  free: Providers,
  ads: Providers,
  rent: Providers,
  buy: Providers,
})
const ServicesAnswer = z.object({ results: Listed })

const NOWHERE: Offers = { link: null, streaming: [], paid: [] }

/** The Movie Database, which has what JustWatch knows. */
export function openWatchProviders(options: WatchProviderOptions, ports: ClientPorts): WatchProviders {
  return openAs(NAME, options, ports)
}

/**
 * The same for cards in the box. It has a limit of its own: what is left of a shared one would tell how much was asked about
 * them.
 */
export function openBoxProviders(options: WatchProviderOptions, ports: ClientPorts): Pick<WatchProviders, 'offersOf'> {
  return openAs(`${NAME} box`, options, ports)
}

function openAs(name: string, { token, url }: WatchProviderOptions, ports: ClientPorts): WatchProviders {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const client = createSourceClient(name, { ...LIMITS, headers }, ports)
  return {
    offersOf: async (tmdbId, country, deadline) => {
      const answer = z.object({ results: z.object({ [country]: OffersInCountry.optional() }) })
      const address = new URL(`${url}/movie/${tmdbId}/watch/providers`)
      const offers = (await client.json(address, answer, deadline))?.results[country]
      if (!offers) return NOWHERE
      const { link, flatrate, free, ads, rent, buy } = offers
      return {
        link,
        streaming: inOrder([...flatrate, ...free, ...ads], country).slice(0, MAX_OFFERS),
        paid: inOrder([...rent, ...buy], country).slice(0, MAX_OFFERS),
      }
    },
    servicesOf: async (country, deadline) => {
      const address = new URL(`${url}/watch/providers/movie?watch_region=${country}`)
      const answer = await client.json(address, ServicesAnswer, deadline)
      return inOrder(answer?.results ?? [], country).slice(0, MAX_LISTED)
    },
  }
}

/** Each service once, best known first. */
function inOrder(providers: readonly Provider[], country: string): StreamingService[] {
  const placeOf = (one: Provider) => one.display_priorities[country] ?? one.display_priority
  const sorted = providers.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || one.provider_id - other.provider_id,
  )
  const names = new Map<number, string>()
  for (const { provider_id: id, provider_name: name } of sorted) if (!names.has(id)) names.set(id, name)
  return [...names].map(([serviceId, name]) => ({ serviceId, name }))
}
