import { z } from 'zod'

import { AvailabilityList, Country, StreamingService } from '../entities/availability.ts'
import { Profile } from '../entities/profile.ts'
import { Watchlist } from '../entities/watchlist.ts'
import { MAX_PAGE_SIZE, MAX_SERVICES } from '../base/limits.ts'
import { cardIds, endpoint, list, watchlistParams } from '../base/endpoint.ts'
import { nightParams } from './nights.ts'

export const AVAILABILITY_ENDPOINTS = {
  listAvailability: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/availability',
    summary: 'Where the movies of some cards of the feed can be watched, in the country of the watchlist; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    query: z.object({ cards: cardIds(MAX_PAGE_SIZE) }),
    reply: AvailabilityList,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'availability',
  }),
  listNightAvailability: endpoint({
    method: 'GET',
    path: '/nights/:nightId/availability',
    summary: 'Where the movies drawn at an open night can be watched; for members, guests and screens',
    auth: 'user-or-pass',
    status: 200,
    params: nightParams,
    reply: AvailabilityList,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'availability',
  }),
  setCountry: endpoint({
    method: 'PUT',
    path: '/watchlists/:watchlistId/country',
    summary: 'Set the country in which the members watch; with null, nothing is looked up. Members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    body: z.object({ country: Country.nullable() }),
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  listServices: endpoint({
    method: 'GET',
    path: '/services',
    summary: 'The streaming services of a country, best known first',
    auth: 'required',
    status: 200,
    query: z.object({ country: Country }),
    reply: z.object({ services: z.array(StreamingService) }),
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    limit: 'availability',
  }),
  chooseServices: endpoint({
    method: 'PUT',
    path: '/profile/services',
    summary: 'Choose your streaming services, by their ids',
    auth: 'required',
    status: 200,
    body: z.object({ services: list(StreamingService.shape.serviceId, { max: MAX_SERVICES }) }),
    reply: Profile,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    limit: 'write',
  }),
} as const
