import { z } from 'zod'

import type { MediaClient } from './client.ts'
import { ItemId, Name } from './movies.ts'
import { type MediaServerPort, QuickConnectOff, type SignedIn, SignInRefused } from './port.ts'
import { isFrom } from './version.ts'

/** Earlier versions of Jellyfin begin by GET. */
const FIRST_WITH_POST = [10, 9] as const

const Token = z.string().regex(/^[\w.-]{1,200}$/u)
const Begun = z.object({ Code: z.string().regex(/^[\w-]{1,20}$/u), Secret: Token })
const Asked = z.object({ Authenticated: z.boolean() })
const Answer = z
  .object({ AccessToken: Token, User: z.object({ Id: ItemId, Name }) })
  .transform(({ AccessToken: token, User: { Id: userId, Name: name } }): SignedIn => ({ userId, name, token }))

const ENDED = [400, 401, 403, 404]
const isRefused = (status: number) => status === 401 || status === 403
const codeEnded = (status: number) => (ENDED.includes(status) ? new SignInRefused('code') : undefined)

/** Quick Connect of Jellyfin: the user enters a code where they are signed in. `headers` name the device that gets the token. */
export function quickConnectOf(
  client: MediaClient,
  headers: Record<string, string>,
): NonNullable<MediaServerPort['quickConnect']> {
  return {
    begin: async (version, signal) => {
      const begun = await client.ask('/QuickConnect/Initiate', Begun, {
        method: isFrom(version, FIRST_WITH_POST) ? 'POST' : 'GET',
        headers,
        signingIn: (status) => (isRefused(status) ? new QuickConnectOff() : undefined),
        signal,
      })
      return { code: begun.Code, secret: begun.Secret }
    },
    finish: async (secret, signal) => {
      const asked = await client.ask('/QuickConnect/Connect', Asked, {
        query: { secret },
        headers,
        signingIn: codeEnded,
        signal,
      })
      if (!asked.Authenticated) return undefined
      return await client.ask('/Users/AuthenticateWithQuickConnect', Answer, {
        method: 'POST',
        headers,
        body: { Secret: secret },
        signingIn: codeEnded,
        signal,
      })
    },
  }
}

/** Emby. The password is in this one call, and nowhere else. */
export async function signIn(
  client: MediaClient,
  { name, password, headers }: { name: string; password: string; headers: Record<string, string> },
  signal: AbortSignal,
): Promise<SignedIn> {
  return await client.ask('/Users/AuthenticateByName', Answer, {
    method: 'POST',
    headers,
    body: { Username: name, Pw: password },
    signingIn: (status) => (isRefused(status) ? new SignInRefused('password') : undefined),
    signal,
  })
}
