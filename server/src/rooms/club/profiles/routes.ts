import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { z } from 'zod'

import {
  chooseLanguage,
  chooseServices,
  getAvatarUrl,
  getOwnProfile,
  getProfile,
  type ProfilePorts,
  removeAvatar,
  setAvatar,
} from './service.ts'
import type { Handlers, Principal } from '../people/service.ts'
import type { ServicePorts } from '../watchlists/service.ts'

const AVATAR = 'avatar'

/** A user may be called "avatar": a GET of the upload's path reads that user's profile. */
export const PROFILE_OF_AVATAR = {
  ...ENDPOINTS.getProfile,
  path: ENDPOINTS.getProfile.path.replace(':username', AVATAR),
  params: z.object({}),
}

export function profileOfAvatarRoute(route: Route<Principal>, ports: ProfilePorts): void {
  route(PROFILE_OF_AVATAR, async ({ user }) => await getProfile(ports, user, AVATAR))
}

/** The endpoints under `/profile`. */
export function profileHandlers(ports: ProfilePorts & ServicePorts) {
  return {
    getOwnProfile: async ({ user }) => await getOwnProfile(ports, user),
    getProfile: async ({ user, params }) => await getProfile(ports, user, params.username),
    getAvatarUrl: async ({ params }) => ({ avatarUrl: await getAvatarUrl(ports, params.username) }),
    uploadAvatar: async ({ user, body }) => await setAvatar(ports, user, body.imageData),
    chooseLanguage: async ({ user, body }) => await chooseLanguage(ports, user, body.language),
    chooseServices: async ({ user, body }) => await chooseServices(ports, user, body.services),
    deleteAvatar: async ({ user }) => await removeAvatar(ports, user),
  } satisfies Partial<Handlers>
}
