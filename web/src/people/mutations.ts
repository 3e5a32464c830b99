import { AVAILABILITY_ENDPOINTS } from '@marquee/contract/endpoints/availability'
import { PROFILE_ENDPOINTS } from '@marquee/contract/endpoints/profiles'
import type { Profile } from '@marquee/contract/entities/profile'
import type { Language } from '@marquee/contract/languages'
import { type Query, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'
import { chooseLanguage } from '#web/i18n/language.ts'

import { ownProfile, peopleKeys } from './queries.ts'

/** Reads the own profile again, under the own name too, so that the new avatar shows everywhere. */
async function refreshOwnProfile(client: QueryClient, username: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: peopleKeys.own() }),
    client.invalidateQueries({ queryKey: peopleKeys.person(username) }),
  ])
}

type Upload = { imageData: string; signal: AbortSignal; onProgress: OnProgress }

/** Uploads an avatar (a data URL) for the signed-in user. */
export function useUploadAvatar(username: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ imageData, signal, onProgress }: Upload) =>
      call(PROFILE_ENDPOINTS.uploadAvatar, { body: { imageData }, signal, onProgress }),
    onSuccess: (profile: Profile) => {
      client.setQueryData(ownProfile().queryKey, profile)
      void refreshOwnProfile(client, username)
    },
  })
}

/** Removes the avatar of the signed-in user. */
export function useRemoveAvatar(username: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => call(PROFILE_ENDPOINTS.deleteAvatar),
    onSuccess: () => {
      client.setQueryData(ownProfile().queryKey, (profile) =>
        profile === undefined ? profile : { ...profile, hasAvatar: false, avatarUrl: null, fullAvatarUrl: null },
      )
      void refreshOwnProfile(client, username)
    },
  })
}

/** Stores the language of the signed-in user, so that their other devices follow, and shows the app in it. */
export function useChooseLanguage() {
  return useMutation({
    mutationFn: async (language: Language) => call(PROFILE_ENDPOINTS.chooseLanguage, { body: { language } }),
    onSuccess: (_profile, language) => chooseLanguage(language),
  })
}

export type ServiceChange = { serviceId: number; isChosen: boolean }

export function withChange(services: readonly number[], { serviceId, isChosen }: ServiceChange): number[] {
  const others = services.filter((one) => one !== serviceId)
  return isChosen ? [...others, serviceId] : others
}

/**
 * Chooses a streaming service of the signed-in user, or no longer. One change is sent after the other, each with the rest as it is
 * then.
 */
export function useChooseService() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'services' },
    mutationFn: async (change: ServiceChange) => {
      const own = client.getQueryData(ownProfile().queryKey)?.services ?? []
      return call(AVAILABILITY_ENDPOINTS.chooseServices, { body: { services: withChange(own, change) } })
    },
    onSuccess: (profile: Profile) => {
      client.setQueryData(ownProfile().queryKey, profile)
      void client.invalidateQueries({ queryKey: ['availability'] })
      // Each library has a filter for what can be watched.
      const predicate = ({ queryKey: [area, , part] }: Query) => area === 'library' && part === 'pages'
      void client.invalidateQueries({ predicate })
    },
  })
}
