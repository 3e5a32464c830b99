import { z } from 'zod'

import { Nickname, Night, NightAsGuest, NightGuest } from '../entities/night.ts'
import { LiveEvent } from '../base/live-events.ts'
import { endpoint, text } from '../base/endpoint.ts'
import { nightParams } from './nights.ts'

const guestParams = nightParams.extend({ guestId: z.uuid('This is not an identifier') })

/** The token is shown only here. It is sent as a bearer token. */
const NewPass = z.object({ token: z.string(), guest: NightGuest, night: NightAsGuest })

export const NIGHT_GUEST_ENDPOINTS = {
  makeNightCode: endpoint({
    method: 'PUT',
    path: '/nights/:nightId/code',
    summary: 'Let guests join the open night with a code of six characters, which stays the same; members only',
    auth: 'required',
    status: 200,
    params: nightParams,
    reply: Night,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  renewNightCode: endpoint({
    method: 'POST',
    path: '/nights/:nightId/code',
    summary: 'Replace the code of the open night; the old one lets no one in, and guests stay. Members only',
    auth: 'required',
    status: 200,
    params: nightParams,
    reply: Night,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  setGuestLimit: endpoint({
    method: 'PUT',
    path: '/nights/:nightId/guest-limit',
    summary: 'Let more than eight guests join the open night from one address, or not; members only',
    auth: 'required',
    status: 200,
    params: nightParams,
    body: z.object({ allowsManyGuests: z.boolean() }),
    reply: Night,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  joinNight: endpoint({
    method: 'POST',
    path: '/nights/join',
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
  addGuest: endpoint({
    method: 'POST',
    path: '/nights/:nightId/guests',
    summary: 'Add a guest who has no phone to the open night; the token votes for them. Members only',
    auth: 'required',
    status: 201,
    params: nightParams,
    body: z.object({ nickname: Nickname }),
    reply: NewPass,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
    takesKey: true,
  }),
  removeGuest: endpoint({
    method: 'DELETE',
    path: '/nights/:nightId/guests/:guestId',
    summary: 'Remove a guest from a night, or leave it as one; the token is void. Members and the guest only',
    auth: 'user-or-pass',
    status: 204,
    params: guestParams,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  getNightAsGuest: endpoint({
    method: 'GET',
    path: '/nights/:nightId/guest',
    summary: 'What a guest sees of a night: place, time and who is here; for members, guests and screens',
    auth: 'user-or-pass',
    status: 200,
    params: nightParams,
    reply: NightAsGuest,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  claimNight: endpoint({
    method: 'POST',
    path: '/nights/claim',
    summary: 'Keep what you did as a guest, with the token of the guest; repeating the call changes nothing',
    auth: 'required',
    status: 200,
    body: z.object({ token: text({ required: 'A token is required', max: 200 }) }),
    reply: z.object({ nightId: z.string(), watchlistId: z.string(), isMember: z.boolean() }),
    errors: ['NOT_FOUND'],
    limit: 'joinLink',
  }),
  nightEvents: endpoint({
    method: 'GET',
    path: '/nights/:nightId/events',
    summary: 'Changes of the night, as server-sent events without data; for members, guests and screens',
    auth: 'user-or-pass',
    status: 200,
    params: nightParams,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'stream',
    events: LiveEvent,
  }),
} as const
