import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { signInWithTicket } from '#web/account/identity.ts'
import { aToken, startPoolOf } from '#web/testing/user-pool.ts'

import { isSignInKey, keptTokens } from './kept-tokens.ts'

const CLIENT = '4nq0testclient'
const ENDS = new Date('2030-01-01T12:00:00Z')

const claims = { sub: 'u1', 'cognito:username': 'Zoë', exp: ENDS.getTime() / 1000, iat: new Date().getTime() / 1000 }
const idToken = aToken(claims)

let pool: Awaited<ReturnType<typeof startPoolOf>>
const tokens = keptTokens(CLIENT)

beforeAll(async () => {
  pool = await startPoolOf(claims)
})
afterAll(() => pool.stop())
afterEach(() => localStorage.clear())

/** The unmodified Amplify writes the tokens. */
async function signIn() {
  expect(await signInWithTicket('zoe@example.org', 'ticket')).toBe('done')
}

test('the session stored by Amplify can be read without Amplify', async () => {
  await signIn()

  expect(tokens.read(new Date('2029-12-31'))).toEqual({
    user: { userId: 'u1', username: 'Zoë', loginId: 'zoe@example.org' },
    idToken,
  })
})

test('there is no session before a sign-in', () => {
  expect(tokens.exist()).toBe(false)
  expect(tokens.read(new Date('2029-12-31'))).toBeUndefined()
})

test.each(['2030-01-01T11:59:56Z', '2030-01-02'])(
  'a token that needs renewal at %s is left to Amplify',
  async (now) => {
    await signIn()

    expect(tokens.read(new Date(now))).toBeUndefined()
    expect(tokens.exist()).toBe(true)
  },
)

test.each(['idToken', 'accessToken'])('a broken %s is left to Amplify', async (name) => {
  await signIn()
  const key = Object.keys(localStorage).find((one) => one.endsWith(`.${name}`)) ?? ''
  localStorage.setItem(key, 'a.b.c')

  expect(tokens.read(new Date('2029-12-31'))).toBeUndefined()
  expect(tokens.exist()).toBe(true)
})

test('forgetting the tokens removes everything that signs the user in', async () => {
  await signIn()
  expect(Object.keys(localStorage).some(isSignInKey)).toBe(true)

  tokens.forget()

  expect(Object.keys(localStorage)).toEqual([])
})
