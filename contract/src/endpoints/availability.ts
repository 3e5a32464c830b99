import { z } from 'zod'

import { AvailabilityList } from '../entities/availability.ts'
import { Country, StreamingService } from '../entities/streaming-service.ts'
import { Profile } from '../entities/profile.ts'
import { Watchlist } from '../entities/watchlist.ts'
import { MAX_PAGE_SIZE, MAX_SERVICES } from '../base/limits.ts'
import { cardIds, endpoint, list } from '../base/endpoint.ts'

export const AVAILABILITY_ENDPOINTS = {
  listAvailability: endpoint('GET', '/watchlists/:watchlistId/availability', {
    summary: 'Where the movies of some cards of the feed can be watched, in the country of the watchlist; members only',
    query: z.object({ cards: cardIds(MAX_PAGE_SIZE) }),
    reply: AvailabilityList,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'availability',
  }),
  listNightAvailability: endpoint('GET', '/nights/:nightId/availability', {
    summary: 'Where the movies drawn at an open night can be watched; for members, guests and screens',
    auth: 'user-or-pass',
    reply: AvailabilityList,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'availability',
  }),
  setCountry: endpoint('PUT', '/watchlists/:watchlistId/country', {
    summary: 'Set the country in which the members watch; with null, nothing is looked up. Members only',
    body: z.object({ country: Country.nullable() }),
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  listServices: endpoint('GET', '/services', {
    summary: 'The streaming services of a country, best known first',
    query: z.object({ country: Country }),
    reply: z.object({ services: z.array(StreamingService) }),
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    limit: 'availability',
  }),
  chooseServices: endpoint('PUT', '/profile/services', {
    summary: 'Choose your streaming services, by their ids',
    body: z.object({ services: list(StreamingService.shape.serviceId, { max: MAX_SERVICES }) }),
    reply: Profile,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
  }),
} as const
