import { z } from 'zod'

import { NightScreen, PairedScreen, ScreenPass } from '../entities/night-screen.ts'
import { endpoint, nightId, text } from '../base/endpoint.ts'

const code = text({ required: 'A code is required', max: 20 })
const errors = ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'] as const

export const SCREEN_ENDPOINTS = {
  requestScreen: endpoint('POST', '/screens', {
    summary:
      'A code that this screen shows until a member types it, and the secret with which the screen asks for its pass',
    auth: 'none',
    status: 201,
    reply: z.object({ code: z.string(), secret: z.string(), expiresAt: z.iso.datetime() }),
    errors: [],
    limit: 'requestScreen',
  }),
  findScreenPass: endpoint('POST', '/screens/pass', {
    summary: 'The pass of a screen, once a member has typed its code; null before. 404 once the code has expired',
    auth: 'none',
    body: z.object({ code, secret: text({ required: 'A secret is required', max: 64 }) }),
    reply: z.object({ pass: ScreenPass.nullable() }),
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    limit: 'read',
  }),
  getNightScreen: endpoint('GET', '/nights/:nightId/screen', {
    summary:
      'One night as a big screen shows it: who is here, the last movie and the latest vote; for members and screens',
    auth: 'user-or-pass',
    reply: NightScreen,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  listScreens: endpoint('GET', '/nights/:nightId/screens', {
    summary: 'The screens that show a night without an account; members only',
    reply: z.object({ screens: z.array(PairedScreen) }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  pairScreen: endpoint('POST', '/nights/:nightId/screens', {
    summary:
      'Show the open night on the screen with this code; for members who are present. Repeating it changes nothing',
    body: z.object({ code }),
    reply: PairedScreen,
    errors,
    limit: 'pairScreen',
  }),
  endScreen: endpoint('DELETE', '/nights/:nightId/screens/:screenId', {
    summary: 'End a screen; its pass is void. Members and the screen only',
    auth: 'user-or-pass',
    params: z.object({ nightId, screenId: z.uuid('This is not an identifier') }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
} as const
