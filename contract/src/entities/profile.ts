import { z } from 'zod'

import { LANGUAGES } from '../base/languages.ts'
import { StreamingService } from './streaming-service.ts'

/**
 * The public profile of a user. `avatarUrl` is a path on this server, `fullAvatarUrl` the same with its origin.
 * `currentWatchlistId` is null in the profile of another user. `language` and `services`, the ids of streaming
 * services, are there only in the own profile, once chosen.
 */
export const Profile = z.object({
  username: z.string(),
  hasAvatar: z.boolean(),
  avatarUrl: z.string().nullable(),
  fullAvatarUrl: z.string().nullable(),
  currentWatchlistId: z.string().nullable(),
  language: z.enum(LANGUAGES).optional(),
  services: z.array(StreamingService.shape.serviceId).optional(),
})
export type Profile = z.infer<typeof Profile>

export const AvatarUrl = z.object({ avatarUrl: z.string().nullable() })

/** `nights`: mails about movie nights, which are on at first. */
export const MailSettings = z.object({ nights: z.boolean() })
export type MailSettings = z.infer<typeof MailSettings>
