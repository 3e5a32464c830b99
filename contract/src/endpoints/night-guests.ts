import { z } from 'zod'

import { Nickname, Night, NightAsGuest, NightGuest } from '../entities/night.ts'
import { LiveEvent } from '../base/live-events.ts'
import { endpoint, nightId, text } from '../base/endpoint.ts'

/** The token is shown only here. It is sent as a bearer token. */
const NewPass = z.object({ token: z.string(), guest: NightGuest, night: NightAsGuest })

export const NIGHT_GUEST_ENDPOINTS = {
  makeNightCode: endpoint('PUT', '/nights/:nightId/code', {
    summary: 'Let guests join the open night with a code of six characters, which stays the same; members only',
    reply: Night,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  renewNightCode: endpoint('POST', '/nights/:nightId/code', {
    summary: 'Replace the code of the open night; the old one lets no one in, and guests stay. Members only',
    reply: Night,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  setGuestLimit: endpoint('PUT', '/nights/:nightId/guest-limit', {
    summary: 'Let more than eight guests join the open night from one address, or not; members only',
    body: z.object({ allowsManyGuests: z.boolean() }),
    reply: Night,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  joinNight: endpoint('POST', '/nights/join', {
    summary: 'Join an open night as a guest without an account. A code that lets no one in is 404, for any reason',
    auth: 'none',
    status: 201,
    body: z.object({
      code: text({ required: 'A code is required', max: 20 }),
      nickname: Nickname,
      /** A random name that a browser keeps. A device whose guest was removed is not let in again. */
      device: z
        .string()
        .regex(/^[\w-]{16,64}$/u, 'This is not an identifier')
        .optional(),
    }),
    reply: NewPass,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    limit: 'joinNight',
    takesKey: true,
  }),
  addGuest: endpoint('POST', '/nights/:nightId/guests', {
    summary: 'Add a guest who has no phone to the open night; the token votes for them. Members only',
    status: 201,
    body: z.object({ nickname: Nickname }),
    reply: NewPass,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    takesKey: true,
  }),
  removeGuest: endpoint('DELETE', '/nights/:nightId/guests/:guestId', {
    summary: 'Remove a guest from a night, or leave it as one; the token is void. Members and the guest only',
    auth: 'user-or-pass',
    params: z.object({ nightId, guestId: z.uuid('This is not an identifier') }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  getNightAsGuest: endpoint('GET', '/nights/:nightId/guest', {
    summary: 'What a guest sees of a night: place, time and who is here; for members, guests and screens',
    auth: 'user-or-pass',
    reply: NightAsGuest,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  claimNight: endpoint('POST', '/nights/claim', {
    summary: 'Keep what you did as a guest, with the token of the guest; repeating the call changes nothing',
    body: z.object({ token: text({ required: 'A token is required', max: 200 }) }),
    reply: z.object({ nightId: z.string(), watchlistId: z.string(), isMember: z.boolean() }),
    errors: ['NOT_FOUND'],
    limit: 'joinLink',
  }),
  nightEvents: endpoint('GET', '/nights/:nightId/events', {
    summary: 'Changes of the night, as server-sent events without data; for members, guests and screens',
    auth: 'user-or-pass',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'stream',
    events: LiveEvent,
  }),
} as const
