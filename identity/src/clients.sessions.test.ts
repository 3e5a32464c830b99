import {
  CognitoIdentityProviderClient,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  InitiateAuthCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { fetchAuthSession, fetchUserAttributes, signIn as amplifySignIn, signOut } from 'aws-amplify/auth'
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { onDatabase, TRIES_ALL } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { aPool, POOL_TABLES, type RunningPool } from './testing/a-pool.ts'
import { amplifyClient } from './testing/clients/amplify.ts'
import { type Client, type Endpoint, listen, refusalOf } from './testing/clients/client.ts'
import { legacyClient } from './testing/clients/legacy.ts'
import { sdkClient } from './testing/clients/sdk.ts'
import { aConfirmedUser, signIn } from './testing/people.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const LIBRARIES: readonly (readonly [string, (endpoint: Endpoint) => Client])[] = [
  ['aws-amplify/auth', amplifyClient],
  ['@aws-sdk/client-cognito-identity-provider', sdkClient],
  // It is slow, and asks for tokens as the SDK does. Its sign-up, sign-in and reset are in `clients.test.ts`.
  ...(TRIES_ALL ? ([['amazon-cognito-identity-js', legacyClient]] as const) : []),
]

function storageIn(items: Map<string, string>) {
  const done = Promise.resolve()
  return {
    setItem: async (key: string, value: string) => {
      items.set(key, value)
      await done
    },
    getItem: async (key: string) => await done.then(() => items.get(key) ?? null),
    removeItem: async (key: string) => {
      items.delete(key)
      await done
    },
    clear: async () => {
      items.clear()
      await done
    },
  }
}

/** Sessions and locks over time with the official libraries. Libraries and pool read one clock, which tests move. */
onDatabase('sqlite', POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let endpoint: Endpoint
  beforeAll(async () => {
    pool = await aPool(useDatabase())
    endpoint = await listen(pool)
  })
  afterAll(async () => {
    await pool.close()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  function moveClock(ms: number) {
    const now = new Date().getTime()
    if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(now + ms)
  }

  describe.each(LIBRARIES)('%s, unmodified', (_name, open) => {
    test('the client refreshes expired tokens for thirty days', async () => {
      const client = open(endpoint)
      const zoe = await aConfirmedUser(pool)
      await client.signIn(zoe.email, zoe.password)
      const first = await client.refresh()
      moveClock(HOUR + MINUTE)
      await expect(pool.identity.verifyIdToken(first)).rejects.toThrow('The token is not valid')

      const second = await client.refresh()
      expect(await pool.identity.verifyIdToken(second)).toMatchObject({ username: zoe.username })
      moveClock(29 * DAY)
      const last = await client.refresh()
      expect(await pool.identity.verifyIdToken(last)).toMatchObject({ username: zoe.username })
      moveClock(DAY)

      expect(await client.refresh().catch(() => '')).toBe('')
    })

    test('the client is locked out after five wrong passwords, and signs in after the lock', async () => {
      const client = open(endpoint)
      const zoe = await aConfirmedUser(pool)
      // The clock stops here, so that the lock does not expire while the library is slow.
      moveClock(0)
      for (let failure = 1; failure <= 5; failure += 1) {
        expect(await refusalOf(client.signIn(zoe.email, 'Wr0ngPassword'))).toBe('NotAuthorizedException')
      }

      await expect(client.signIn(zoe.email, zoe.password)).rejects.toMatchObject({
        name: 'NotAuthorizedException',
        message: 'Password attempts exceeded',
      })
      moveClock(1000)

      expect(await client.signIn(zoe.email, zoe.password)).toEqual({ username: zoe.username })
      await client.signOut()
    })
  })

  describe('two tabs on one session', () => {
    const rotate = async (RefreshToken: string | undefined) => {
      const sdk = new CognitoIdentityProviderClient({ region: 'us-east-1', endpoint: endpoint.userPoolEndpoint })
      const { userPoolClientId: ClientId } = endpoint
      const reply = await sdk.send(new GetTokensFromRefreshTokenCommand({ ClientId, RefreshToken }))
      return reply.AuthenticationResult
    }

    test('two tabs of the SDK that refresh concurrently get the same refresh token', async () => {
      const { RefreshToken } = await signIn(pool, await aConfirmedUser(pool))
      moveClock(HOUR)

      const tabs = await Promise.all([rotate(RefreshToken), rotate(RefreshToken)])
      moveClock(HOUR)

      expect(tabs[0]?.RefreshToken).toBe(tabs[1]?.RefreshToken)
      expect(await rotate(tabs[0]?.RefreshToken)).toMatchObject({ TokenType: 'Bearer' })
    })

    test('two tabs of the SDK lose the session when an old refresh token is used after a minute', async () => {
      const { RefreshToken } = await signIn(pool, await aConfirmedUser(pool))
      const next = await rotate(RefreshToken)
      moveClock(MINUTE + 1)

      expect(await refusalOf(rotate(RefreshToken))).toBe('RefreshTokenReuseException')
      expect(await refusalOf(rotate(next?.RefreshToken))).toBe('NotAuthorizedException')
    })

    test('two tabs of Amplify that refresh concurrently both succeed, and can refresh again', async () => {
      amplifyClient(endpoint)
      const zoe = await aConfirmedUser(pool)
      await amplifySignIn({ username: zoe.email, password: zoe.password })
      moveClock(HOUR)

      const users = await Promise.all([fetchUserAttributes(), fetchUserAttributes(), fetchAuthSession()])
      moveClock(HOUR)

      expect(users[0].email).toBe(zoe.email)
      expect(users[1].email).toBe(zoe.email)
      expect((await fetchUserAttributes()).email).toBe(zoe.email)
      await signOut()
    })

    test('Amplify is signed out when it refreshes after a thief has used its refresh token', async () => {
      const items = new Map<string, string>()
      amplifyClient(endpoint)
      cognitoUserPoolsTokenProvider.setKeyValueStorage(storageIn(items))
      const zoe = await aConfirmedUser(pool)
      await amplifySignIn({ username: zoe.email, password: zoe.password })
      const [stolen] = [...items].filter(([key]) => key.endsWith('.refreshToken')).map(([, token]) => token)
      expect(await rotate(stolen)).toMatchObject({ TokenType: 'Bearer' })
      moveClock(HOUR)

      expect(await refusalOf(fetchAuthSession())).toBe('RefreshTokenReuseException')
      await vi.waitFor(() => {
        expect([...items.keys()].filter((key) => key.endsWith('.refreshToken'))).toEqual([])
      }, WITHIN)
    })
  })

  test('the refresh flow of older libraries keeps the refresh token', async () => {
    const sdk = new CognitoIdentityProviderClient({ region: 'us-east-1', endpoint: endpoint.userPoolEndpoint })
    const { userPoolClientId: ClientId } = endpoint
    const zoe = await aConfirmedUser(pool)
    const { RefreshToken } = await signIn(pool, zoe)
    const refresh = async () =>
      await sdk.send(
        new InitiateAuthCommand({
          ClientId,
          AuthFlow: 'REFRESH_TOKEN_AUTH',
          AuthParameters: { REFRESH_TOKEN: RefreshToken },
        }),
      )
    for (let hour = 1; hour <= 3; hour += 1) {
      moveClock(HOUR)
      const { AuthenticationResult: tokens } = await refresh()
      expect(tokens).not.toHaveProperty('RefreshToken')
      const user = await sdk.send(new GetUserCommand({ AccessToken: tokens?.AccessToken }))
      expect(user.Username).toBe(zoe.username)
    }
  })
})
