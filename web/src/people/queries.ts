import { AVAILABILITY_ENDPOINTS } from '@marquee/contract/endpoints/availability'
import { PROFILE_ENDPOINTS } from '@marquee/contract/endpoints/profiles'
import { PROFILE_CACHE_MS } from '@marquee/contract/limits'
import { usernameKey } from '@marquee/contract/rules/account'
import { queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

export const peopleKeys = {
  person: (username: string) => ['people', 'person', usernameKey(username)] as const,
  own: () => ['people', 'own'] as const,
}

/** The profile of a user, cached for 5 minutes. */
export const personProfile = (username: string) =>
  queryOptions({
    queryKey: peopleKeys.person(username),
    queryFn: async ({ signal }) => call(PROFILE_ENDPOINTS.getProfile, { params: { username }, signal }),
    staleTime: PROFILE_CACHE_MS,
    gcTime: PROFILE_CACHE_MS,
    enabled: username.trim() !== '',
  })

/** The profile of the signed-in user. */
export const ownProfile = () =>
  queryOptions({
    queryKey: peopleKeys.own(),
    queryFn: async ({ signal }) => call(PROFILE_ENDPOINTS.getOwnProfile, { signal }),
  })

/** The streaming services of a country, best known first. */
export const servicesOf = (country: string) =>
  queryOptions({
    queryKey: ['services', country],
    queryFn: async ({ signal }) =>
      (await call(AVAILABILITY_ENDPOINTS.listServices, { query: { country }, signal })).services,
    staleTime: Infinity,
  })
