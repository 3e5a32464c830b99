import { AvatarUrl, Profile } from '../entities/profile.ts'
import { ImageBody, endpoint, usernameParams } from './endpoint.ts'

export const PROFILE_ENDPOINTS = {
  getOwnProfile: endpoint({
    method: 'GET',
    path: '/profile',
    summary: 'Your own profile',
    auth: 'required',
    status: 200,
    reply: Profile,
    errors: [],
  }),
  getProfile: endpoint({
    method: 'GET',
    path: '/profile/:username',
    summary: 'The profile of a person; never their e-mail, never their current watchlist',
    auth: 'required',
    status: 200,
    params: usernameParams,
    reply: Profile,
    errors: ['NOT_FOUND'],
  }),
  getAvatarUrl: endpoint({
    method: 'GET',
    path: '/profile/:username/avatar',
    summary: 'Where the avatar of a person is, or null',
    auth: 'required',
    status: 200,
    params: usernameParams,
    reply: AvatarUrl,
    errors: ['NOT_FOUND'],
  }),
  uploadAvatar: endpoint({
    method: 'POST',
    path: '/profile/avatar',
    summary: 'Give yourself an avatar, as a base64 data URL',
    auth: 'required',
    status: 200,
    body: ImageBody,
    reply: Profile,
    errors: ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
    limit: 'upload',
  }),
  deleteAvatar: endpoint({
    method: 'DELETE',
    path: '/profile/avatar',
    summary: 'Take your avatar away',
    auth: 'required',
    status: 204,
    errors: [],
    limit: 'write',
  }),
} as const
