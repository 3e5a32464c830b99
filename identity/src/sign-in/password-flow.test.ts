import { afterAll, beforeAll, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signUp } from '../testing/people.ts'

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock })
  })
  afterAll(async () => {
    await pool.close()
  })

  const give = async (USERNAME: string, PASSWORD: string) =>
    await pool.call('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD } })
  const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
  const WRONG = refusal('NotAuthorizedException', 'Incorrect username or password.')

  // Evidence: asvs-6.2.8, asvs-6.2.9
  test('a password of 256 characters must match exactly', async () => {
    const password = `Passw0rd ${'ü'.repeat(246)}X`
    const zoe = await aConfirmedUser(pool, { password })

    expect(await give(zoe.email, password)).toMatchObject({ status: 200, body: { ChallengeParameters: {} } })
    for (const other of [password.slice(0, -1), `${password.slice(0, -1)}x`, password.toLowerCase(), ` ${password}`]) {
      expect(await give(zoe.email, other)).toMatchObject({ status: 400 })
      clock.advance(60_000)
    }
  })

  test('the right password gives tokens at once, and a wrong one gives the same error as an unknown name', async () => {
    const zoe = await aConfirmedUser(pool)

    expect(await give(zoe.email, zoe.password)).toMatchObject({
      status: 200,
      body: { ChallengeParameters: {}, AuthenticationResult: { TokenType: 'Bearer' } },
    })
    expect(await give(zoe.email, 'Wr0ngPassword')).toEqual(WRONG)
    expect(await give('unknown@example.com', 'Wr0ngPassword')).toEqual(WRONG)
  })

  test.each([
    ['a known user', async () => (await aConfirmedUser(pool)).email],
    ['an unknown name', async () => await Promise.resolve(aPerson().email)],
  ])('wrong plain-text passwords lock %s out, as with SRP', async (_who, name) => {
    const login = await name()

    for (let failure = 1; failure <= 5; failure += 1) expect(await give(login, 'Wr0ngOne')).toEqual(WRONG)

    expect(await give(login, 'Wr0ngOne')).toEqual(refusal('NotAuthorizedException', 'Password attempts exceeded'))
    clock.advance(1000)
    expect(await give(login, 'Wr0ngOne')).toEqual(WRONG)
  })

  test('an unconfirmed account is reported only after the right password', async () => {
    const person = aPerson()
    await signUp(pool, person)

    expect(await give(person.username, 'Wr0ngPassword')).toEqual(WRONG)
    expect(await give(person.username, person.password)).toEqual(
      refusal('UserNotConfirmedException', 'User is not confirmed.'),
    )
  })
})
