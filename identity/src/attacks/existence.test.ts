import { getDiffieHellman } from 'node:crypto'

import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from '../testing/a-pool.ts'
import { anAuthenticator } from '../testing/authenticator.ts'
import { askForPasskey, startRegistration } from '../testing/passkeys.ts'
import { aConfirmedUser, aPerson, beginSignIn, finishSignIn, type Reply, signIn, signUp } from '../testing/people.ts'
import { mustSucceed, respond } from '../testing/second-factors.ts'

/** The statements that ran, each as its kind and the names in it, and the number of modular exponentiations. */
type Work = { statements: string[]; powers: number }

function watch(database: Database<unknown>): { database: Database<unknown>; work: Work } {
  const work: Work = { statements: [], powers: 0 }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const names = JSON.stringify(node).match(/"name":"\w+"/gu) ?? []
      work.statements.push([node.kind, ...names].join(' '))
      return node
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  }
  const watched: Database<unknown> = {
    ...database,
    read: database.read.withPlugin(plugin),
    transaction: async (act) => await database.transaction(async (trx) => await act(trx.withPlugin(plugin))),
    withTables: <Other>() => watched as unknown as Database<Other>,
  }
  return { database: watched, work }
}

/** Counts modular exponentiations, which all use this method. */
function countPowers(work: Work): () => void {
  const prototype = Object.getPrototypeOf(getDiffieHellman('modp15')) as object
  const original = Reflect.get(prototype, 'computeSecret') as (...given: unknown[]) => unknown
  Reflect.set(prototype, 'computeSecret', function count(this: unknown, ...given: unknown[]) {
    work.powers += 1
    return original.apply(this, given)
  })
  return () => {
    Reflect.set(prototype, 'computeSecret', original)
  }
}

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let work: Work
  let restore: () => void
  beforeAll(async () => {
    const watched = watch(useDatabase())
    work = watched.work
    restore = countPowers(work)
    pool = await aPool(useDatabase(), { settings: { database: watched.database } })
  })
  afterAll(async () => {
    restore()
    await pool.close()
  })

  async function workOf(act: () => Promise<Reply>): Promise<Work & { status: number; shape: unknown }> {
    work.statements.length = 0
    work.powers = 0
    const { status, body } = await act()
    const shape = JSON.stringify(body, (_key, value: unknown) => (typeof value === 'object' ? value : typeof value))
    return { statements: [...work.statements], powers: work.powers, status, shape }
  }

  const call = (operation: string, extra: object) => async (Username: string) =>
    await pool.call(operation, { Username, ...extra })
  const reset = { ConfirmationCode: '000000', Password: 'An0therPassword' }
  const login = (AuthFlow: string, extra: object) => async (USERNAME: string) =>
    await pool.call('InitiateAuth', { AuthFlow, AuthParameters: { USERNAME, ...extra } })

  test.each([
    ['the first step of a sign-in', login('USER_SRP_AUTH', { SRP_A: 'abc123' })],
    ['a wrong plain-text password', login('USER_PASSWORD_AUTH', { PASSWORD: 'Wr0ngPassword' })],
    ['a request for a reset code', call('ForgotPassword', {})],
    ['a wrong reset code', call('ConfirmForgotPassword', reset)],
  ])('%s takes the same work and gets the same reply for known and unknown names', async (_name, act) => {
    const known = await aConfirmedUser(pool)
    const unknown = aPerson()
    await pool.call('ForgotPassword', { Username: known.email })
    await pool.call('ForgotPassword', { Username: unknown.email })

    const forKnown = await workOf(async () => await act(known.email))

    expect(forKnown.statements.length).toBeGreaterThan(0)
    expect(await workOf(async () => await act(unknown.email))).toEqual(forKnown)
  })

  test('the second step of a sign-in takes the same work and gets the same reply for known and unknown names', async () => {
    const known = await aConfirmedUser(pool)
    const attempt = async (name: string) => {
      const answer = await beginSignIn(pool, name, 'Wr0ngPassword')
      return await workOf(async () => await finishSignIn(pool, answer))
    }

    const forKnown = await attempt(known.email)

    expect(forKnown.powers).toBe(2)
    expect(await attempt(aPerson().email)).toEqual(forKnown)
  })

  test('a wrong code or passkey takes the same work and gets the same reply for known and unknown names', async () => {
    const known = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, known)
    const options = await startRegistration(pool, AccessToken)
    const [registered, another] = [anAuthenticator(), anAuthenticator()]
    await mustSucceed(pool, 'CompleteWebAuthnRegistration', { AccessToken, Credential: registered.create(options) })
    another.create(options)
    const wrongCode = async (name: string) => {
      const AuthParameters = { USERNAME: name, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
      const asked = await pool.call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
      return await workOf(async () => await respond(pool, asked, { EMAIL_OTP_CODE: '00000000' }, name))
    }
    // Only some unknown names seem to have a passkey.
    const wrongPasskey = async (name: string): Promise<unknown> => {
      const { reply, answer } = await askForPasskey(pool, name)
      if (reply.body['ChallengeName'] !== 'WEB_AUTHN') return await wrongPasskey(aPerson().email)
      return await workOf(async () => await answer(another))
    }

    for (const attempt of [wrongCode, wrongPasskey]) {
      const forKnown = await attempt(known.email)
      expect(forKnown).toMatchObject({ status: 400 })
      expect(JSON.stringify(forKnown)).toContain('identity_security_event')
      expect(await attempt(aPerson().email)).toEqual(forKnown)
    }
  })

  test.each([
    ['a new code at sign-up', call('ResendConfirmationCode', {})],
    ['a wrong code at sign-up', call('ConfirmSignUp', { ConfirmationCode: 'wrong1' })],
  ])('%s takes the same work and gets the same reply for known and unknown names', async (_name, act) => {
    const known = aPerson()
    const unknown = aPerson()
    await signUp(pool, known)
    await pool.call('ResendConfirmationCode', { Username: unknown.username })

    const forKnown = await workOf(async () => await act(known.username))

    expect(await workOf(async () => await act(unknown.username))).toEqual(forKnown)
  })
})
