import { createHash } from 'node:crypto'

import type { Asked, Operation, Reply } from './description.ts'
import type { ServiceState } from './service.ts'

const CLIENT =
  /^(?:MediaBrowser|Emby) Client="[^"]+", Device="[^"]+", DeviceId="(?<device>[^"]+)", Version="[^"]+"(?:, Token="(?<token>[^"]+)")?$/u
const HEADERS = { jellyfin: 'authorization', emby: 'x-emby-authorization' } as const
const FORBIDDEN: Reply = { status: 401, body: 'Unauthorized' }
const MISSING: Reply = { status: 404, body: 'Not Found' }

const clientIn = (text: unknown) => CLIENT.exec(typeof text === 'string' ? text : '')?.groups ?? {}
const hashOf = (text: string) => createHash('md5').update(text).digest('hex')

/** The user of the token of a request. */
export function userIn({ tokens }: ServiceState, { headers }: Asked): string | undefined {
  const token = headers['x-emby-token'] ?? clientIn(headers.authorization)['token']
  return tokens.get(String(token))
}

/** What Jellyfin 10.8 and later, and Emby 4.7 and later, offer to users: signing in, and marking what they have seen. */
export function jellyfinUsers(kind: 'jellyfin' | 'emby', state: ServiceState): Operation[] {
  const isFrom109 = () => /^10\.(?:9|\d\d)\./u.test(state.version)

  function signedIn(userId: string, device: string): Reply {
    const user = state.users.find(({ id }) => id === userId)
    if (!user) return FORBIDDEN
    // Each user has one token for a device.
    const token = hashOf(`${userId} ${device}`)
    state.tokens.set(token, userId)
    return {
      status: 200,
      body: { User: { Name: user.name, Id: user.id, HasPassword: true }, AccessToken: token, ServerId: 'a-server' },
    }
  }

  function marking(path: RegExp, method: 'POST' | 'DELETE', isQuery: boolean): Operation {
    return {
      method,
      path,
      ...(isQuery && { query: { userId: /^[\da-f]{32}$/u, datePlayed: /./u }, required: ['userId'] }),
      answer: (asked, parameters) => {
        const { itemId = '', userId = asked.query['userId'] ?? '' } = parameters
        if (isQuery !== (kind === 'jellyfin' && isFrom109())) return MISSING
        if (userIn(state, asked) !== userId) return FORBIDDEN
        const refusal = state.refusedMarks.get(itemId)
        if (refusal !== undefined) return { status: refusal, body: 'Refused' }
        state.marked.push({ userId, itemId, isSeen: method === 'POST' })
        return { status: 200, body: { Played: method === 'POST', PlayCount: 1, ItemId: itemId, Key: itemId } }
      },
    }
  }

  const older = /^\/Users\/(?<userId>[\da-f]{32})\/PlayedItems\/(?<itemId>[\da-f]{1,32})$/u
  const newer = /^\/UserPlayedItems\/(?<itemId>[\da-f]{32})$/u
  return [
    ...(kind === 'jellyfin' ? quickConnect(state, { signedIn, isFrom109 }) : [byName(state, signedIn)]),
    ...(['POST', 'DELETE'] as const).flatMap((method) => [
      marking(older, method, false),
      ...(kind === 'jellyfin' ? [marking(newer, method, true)] : []),
    ]),
  ]
}

function byName(state: ServiceState, signedIn: (userId: string, device: string) => Reply): Operation {
  return {
    method: 'POST',
    path: /^\/Users\/AuthenticateByName$/u,
    headers: { [HEADERS.emby]: CLIENT },
    hasBody: true,
    isOpen: true,
    answer: ({ headers, body }) => {
      const given = JSON.parse(body) as { Username?: unknown; Pw?: unknown }
      const user = state.users.find(({ name }) => name === given.Username)
      const { device = '' } = clientIn(headers[HEADERS.emby])
      return user && user.password === given.Pw ? signedIn(user.id, device) : FORBIDDEN
    },
  }
}

function quickConnect(
  state: ServiceState,
  { signedIn, isFrom109 }: { signedIn: (userId: string, device: string) => Reply; isFrom109: () => boolean },
): Operation[] {
  const headers = { [HEADERS.jellyfin]: CLIENT }
  const resultOf = (secret: string, code: string, isDone: boolean) => ({
    Authenticated: isDone,
    Secret: secret,
    Code: code,
    DeviceId: 'a-device',
    DeviceName: 'Marquee',
    AppName: 'Marquee',
    AppVersion: '1',
    DateAdded: '2026-11-24T20:00:00.0000000Z',
  })
  const initiate = (method: 'GET' | 'POST'): Operation => ({
    method,
    path: /^\/QuickConnect\/Initiate$/u,
    headers,
    isOpen: true,
    answer: () => {
      if (!state.hasQuickConnect) return FORBIDDEN
      if (method === 'POST' && !isFrom109()) return { status: 405, body: 'Method Not Allowed' }
      const [secret, code] = [hashOf(`secret ${state.codes.size}`), String(100_000 + state.codes.size)]
      state.codes.set(secret, { code })
      return { status: 200, body: resultOf(secret, code, false) }
    },
  })
  return [
    initiate('GET'),
    initiate('POST'),
    {
      method: 'GET',
      path: /^\/QuickConnect\/Connect$/u,
      query: { secret: /^[\da-f]{32}$/u },
      required: ['secret'],
      isOpen: true,
      answer: ({ query }) => {
        const { secret = '' } = query
        const found = state.codes.get(secret)
        return found ? { status: 200, body: resultOf(secret, found.code, found.userId !== undefined) } : MISSING
      },
    },
    {
      method: 'POST',
      path: /^\/Users\/AuthenticateWithQuickConnect$/u,
      headers,
      hasBody: true,
      isOpen: true,
      answer: ({ body, headers: given }) => {
        const { Secret: secret = '' } = JSON.parse(body) as { Secret?: string }
        const { userId } = state.codes.get(secret) ?? {}
        state.codes.delete(secret)
        return userId === undefined ? FORBIDDEN : signedIn(userId, clientIn(given[HEADERS.jellyfin])['device'] ?? '')
      },
    },
  ]
}
