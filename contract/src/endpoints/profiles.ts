import { z } from 'zod'

import { AvatarUrl, MailSettings, Profile } from '../entities/profile.ts'
import { LANGUAGES } from '../base/languages.ts'
import { ImageBody, endpoint, takesImage } from '../base/endpoint.ts'

export const PROFILE_ENDPOINTS = {
  getOwnProfile: endpoint('GET', '/profile', {
    summary: 'Your own profile',
    reply: Profile,
    errors: [],
  }),
  getProfile: endpoint('GET', '/profile/:username', {
    summary: 'The profile of a user, without e-mail and current watchlist',
    reply: Profile,
    errors: ['NOT_FOUND'],
  }),
  getAvatarUrl: endpoint('GET', '/profile/:username/avatar', {
    summary: 'The URL of the avatar of a user, or null',
    reply: AvatarUrl,
    errors: ['NOT_FOUND'],
  }),
  uploadAvatar: endpoint('POST', '/profile/avatar', {
    summary: 'Set your avatar, as a base64 data URL',
    body: ImageBody,
    reply: Profile,
    errors: ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
    limit: 'upload',
    ...takesImage('imageData'),
  }),
  chooseLanguage: endpoint('PUT', '/profile/language', {
    summary: 'Choose the language of the app on all your devices; with null, each browser decides',
    body: z.object({ language: z.enum(LANGUAGES).nullable() }),
    reply: Profile,
    errors: ['BAD_REQUEST'],
  }),
  deleteAvatar: endpoint('DELETE', '/profile/avatar', {
    summary: 'Remove your avatar',
    errors: [],
  }),
  getMailSettings: endpoint('GET', '/mail-settings', {
    summary: 'Whether you get mails about movie nights; the notification settings have all choices',
    reply: MailSettings,
    errors: [],
  }),
  setMailSettings: endpoint('PUT', '/mail-settings', {
    summary: 'Turn mails about movie nights, and the question about your rating, on or off',
    body: MailSettings,
    reply: MailSettings,
    errors: ['BAD_REQUEST'],
  }),
} as const
