import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from './testing/a-pool.ts'
import { amplifyClient } from './testing/clients/amplify.ts'
import { type Client, type Endpoint, listen, refusalOf } from './testing/clients/client.ts'
import { legacyClient } from './testing/clients/legacy.ts'
import { sdkClient } from './testing/clients/sdk.ts'
import { aConfirmedUser, aPerson, signIn } from './testing/people.ts'

const LIBRARIES: readonly (readonly [
  string,
  (endpoint: Endpoint) => Client,
  unconfirmed: string,
  mustReset: string,
])[] = [
  ['aws-amplify/auth', amplifyClient, 'CONFIRM_SIGN_UP', 'RESET_PASSWORD'],
  [
    '@aws-sdk/client-cognito-identity-provider',
    sdkClient,
    'UserNotConfirmedException',
    'PasswordResetRequiredException',
  ],
  ['amazon-cognito-identity-js', legacyClient, 'UserNotConfirmedException', 'PasswordResetRequiredException'],
]

/** The result of a sign-in: the next step that a library reports, or the name of its error. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.catch((error: unknown) => (error instanceof Error ? error.name : error))
}

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let endpoint: Endpoint
  beforeAll(async () => {
    pool = await aPool(useDatabase())
    endpoint = await listen(pool)
  })
  afterAll(async () => {
    await pool.close()
  })

  describe.each(LIBRARIES)('%s, unmodified', (_name, open, unconfirmed, mustReset) => {
    const aClient = () => open(endpoint)

    test('the client signs up, confirms, signs in with SRP, refreshes, changes the password and signs out', async () => {
      const client = aClient()
      const person = aPerson()
      const newPassword = 'An0ther Pässword'

      await client.signUp(person)
      await client.confirm(person.username, await pool.readCode(person.email))
      expect(await client.signIn(person.email, person.password)).toEqual({ username: person.username })
      const first = await client.refresh()
      expect(await pool.identity.verifyIdToken(first)).toMatchObject({ username: person.username, email: person.email })
      await client.changePassword(person.password, newPassword)
      const second = await client.refresh()
      expect(second).not.toBe(first)
      await client.signOut()

      await expect(pool.identity.verifyIdToken(second)).rejects.toThrow('revoked')
      expect(await refusalOf(client.signIn(person.email, person.password))).toBe('NotAuthorizedException')
      expect(await client.signIn(person.username, newPassword)).toEqual({ username: person.username })
      await client.signOut()
    })

    test('the client resets a forgotten password with the mailed code', async () => {
      const client = aClient()
      const person = await aConfirmedUser(pool)

      expect(await client.requestReset(person.email)).toBe('z***@e***')
      const code = await pool.readCode(person.email, 2)
      await client.confirmReset(person.email, code, 'An0therPassword')

      expect(await client.signIn(person.email, 'An0therPassword')).toEqual({ username: person.username })
      await client.signOut()
    })

    test('a wrong password and an unknown user give the same exception', async () => {
      const client = aClient()
      const person = await aConfirmedUser(pool)

      expect(await refusalOf(client.signIn(person.email, 'Wr0ngPassword'))).toBe('NotAuthorizedException')
      expect(await refusalOf(client.signIn('unknown@example.com', 'Wr0ngPassword'))).toBe('NotAuthorizedException')
    })

    test('an unconfirmed user gets another code, confirms and signs in', async () => {
      const client = aClient()
      const person = aPerson()
      await client.signUp(person)

      expect(await outcomeOf(client.signIn(person.email, person.password))).toBe(unconfirmed)
      await client.resend(person.username)
      await client.confirm(person.username, await pool.readCode(person.email, 2))

      expect(await client.signIn(person.email, person.password)).toEqual({ username: person.username })
      await client.signOut()
    })

    test('a user with a required password reset signs in with the new password', async () => {
      const client = aClient()
      const zoe = await aConfirmedUser(pool)
      await pool.identity.admin.requirePasswordReset(zoe.username)

      expect(await outcomeOf(client.signIn(zoe.email, zoe.password))).toBe(mustReset)
      await client.requestReset(zoe.email)
      await client.confirmReset(zoe.email, await pool.readCode(zoe.email, 2), 'An0therPassword')

      expect(await client.signIn(zoe.email, 'An0therPassword')).toEqual({ username: zoe.username })
      await client.signOut()
    })

    test('a global sign-out ends all sessions of the user and none of other users', async () => {
      const client = aClient()
      const [zoe, ann] = [await aConfirmedUser(pool), await aConfirmedUser(pool)]
      const elsewhere = [await signIn(pool, zoe), await signIn(pool, zoe)]
      const other = await signIn(pool, ann)
      await client.signIn(zoe.email, zoe.password)

      await client.signOutEverywhere()

      for (const { IdToken, RefreshToken } of elsewhere) {
        await expect(pool.identity.verifyIdToken(IdToken)).rejects.toThrow('revoked')
        expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 400 })
      }
      expect(await pool.identity.verifyIdToken(other.IdToken)).toMatchObject({ username: ann.username })
    })

    test('a wrong code, a taken name and a weak password give different exceptions', async () => {
      const client = aClient()
      const person = aPerson()
      await client.signUp(person)
      const code = await pool.readCode(person.email)
      const wrong = code === '123456' ? '654321' : '123456'

      expect(await refusalOf(client.confirm(person.username, wrong))).toBe('CodeMismatchException')
      expect(await refusalOf(client.signUp(person))).toBe('UsernameExistsException')
      expect(await refusalOf(client.signUp(aPerson({ password: 'password1' })))).toBe('InvalidPasswordException')
      expect(await refusalOf(client.confirm(aPerson().username, code))).toBe('ExpiredCodeException')
    })

    test('requesting too many codes gives LimitExceededException', async () => {
      const client = aClient()
      const person = aPerson()
      await client.signUp(person)

      for (let time = 1; time <= 5; time += 1) await client.resend(person.username)

      expect(await refusalOf(client.resend(person.username))).toBe('LimitExceededException')
    })
  })
})
