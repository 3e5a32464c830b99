import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Profile } from '@marquee/contract/entities/profile'
import { PROFILE_CACHE_MS } from '@marquee/contract/limits'
import { usernameKey } from '@marquee/contract/rules/account'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'

const peopleKeys = {
  person: (username: string) => ['people', 'person', usernameKey(username)] as const,
  own: () => ['people', 'own'] as const,
}

/** The profile of a person, kept in memory for 5 minutes (spec section 4, "Profile cache"). */
export const personProfile = (username: string) =>
  queryOptions({
    queryKey: peopleKeys.person(username),
    queryFn: async ({ signal }) => call(ENDPOINTS.getProfile, { params: { username }, signal }),
    staleTime: PROFILE_CACHE_MS,
    gcTime: PROFILE_CACHE_MS,
    enabled: username.trim() !== '',
  })

/** The profile of the signed-in user. */
export const ownProfile = () =>
  queryOptions({
    queryKey: peopleKeys.own(),
    queryFn: async ({ signal }) => call(ENDPOINTS.getOwnProfile, { signal }),
  })

/**
 * Reloads the own profile and clears what is kept under the own name, so that the new face shows wherever it stands
 * (spec section 4). Where the reload fails the face is simply asked for again the next time.
 */
async function refreshOwnProfile(client: QueryClient, username: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: peopleKeys.own() }),
    client.invalidateQueries({ queryKey: peopleKeys.person(username) }),
  ])
}

type Upload = { imageData: string; signal: AbortSignal; onProgress: OnProgress }

/** Gives the signed-in user an avatar; `imageData` is a data URL. */
export function useUploadAvatar(username: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ imageData, signal, onProgress }: Upload) =>
      call(ENDPOINTS.uploadAvatar, { body: { imageData }, signal, onProgress }),
    onSuccess: (profile: Profile) => {
      client.setQueryData(ownProfile().queryKey, profile)
      void refreshOwnProfile(client, username)
    },
  })
}

/** Takes the avatar of the signed-in user away. */
export function useRemoveAvatar(username: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => call(ENDPOINTS.deleteAvatar),
    onSuccess: () => {
      client.setQueryData(ownProfile().queryKey, (profile) =>
        profile === undefined ? profile : { ...profile, hasAvatar: false, avatarUrl: null, fullAvatarUrl: null },
      )
      void refreshOwnProfile(client, username)
    },
  })
}
