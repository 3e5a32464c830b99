import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { mailForServer } from '@marquee/platform/mail/queue'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { aConfirmedUser, aPerson, beginSignIn, finishSignIn, signIn, signUp, trySignIn } from '../testing/people.ts'

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock })
  })
  afterAll(async () => {
    await pool.close()
  })

  const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
  const WRONG = refusal('NotAuthorizedException', 'Incorrect username or password.')

  test('a confirmed user signs in with the username, the e-mail or the id, regardless of case', async () => {
    const zoe = await aConfirmedUser(pool)

    for (const login of [zoe.username, zoe.username.toUpperCase(), zoe.email, zoe.email.toUpperCase(), zoe.sub]) {
      expect(await trySignIn(pool, login, zoe.password)).toMatchObject({
        status: 200,
        body: { ChallengeParameters: {}, AuthenticationResult: { ExpiresIn: 3600, TokenType: 'Bearer' } },
      })
    }
  })

  test('a wrong password and an unknown user get the same error', async () => {
    const zoe = await aConfirmedUser(pool)

    expect(await trySignIn(pool, zoe.email, 'Wr0ngPassword')).toEqual(WRONG)
    expect(await trySignIn(pool, 'unknown@example.com', 'Wr0ngPassword')).toEqual(WRONG)
  })

  test('the challenge of an unknown name has the shape of a real one, and the same salt and id every time', async () => {
    const zoe = await aConfirmedUser(pool)
    const ask = async (login: string) => {
      const { body } = await pool.call('InitiateAuth', {
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME: login, SRP_A: 'abcdef0123' },
      })
      return body as { ChallengeName: string; ChallengeParameters: Record<string, string> }
    }
    const [known, unknown, again] = [
      await ask(zoe.email),
      await ask('unknown@example.com'),
      await ask(' UNKNOWN@example.com '),
    ]

    expect(Object.keys(unknown)).toEqual(Object.keys(known))
    expect(Object.keys(unknown.ChallengeParameters)).toEqual(Object.keys(known.ChallengeParameters))
    expect(unknown.ChallengeParameters['SECRET_BLOCK']).toHaveLength(
      known.ChallengeParameters['SECRET_BLOCK']?.length ?? 0,
    )
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u
    expect(known.ChallengeParameters['USER_ID_FOR_SRP']).toMatch(uuid)
    expect(unknown.ChallengeParameters['USER_ID_FOR_SRP']).toMatch(uuid)
    for (const stable of ['SALT', 'USER_ID_FOR_SRP', 'USERNAME']) {
      expect(again.ChallengeParameters[stable]).toBe(unknown.ChallengeParameters[stable])
    }
  })

  test('an unconfirmed account is reported only after the right password, by name and by e-mail', async () => {
    const person = aPerson()
    await signUp(pool, person)

    const unconfirmed = refusal('UserNotConfirmedException', 'User is not confirmed.')
    expect(await trySignIn(pool, person.username, person.password)).toEqual(unconfirmed)
    expect(await trySignIn(pool, person.email, person.password)).toEqual(unconfirmed)
    expect(await trySignIn(pool, person.email, 'Wr0ngPassword')).toEqual(WRONG)
  })

  test('an answer signs in once and is rejected when sent again', { tags: ['race'] }, async () => {
    const zoe = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)

    const replies = await Promise.all([1, 2, 3].map(async () => await finishSignIn(pool, answer)))

    expect(replies.map((reply) => reply.status).toSorted((one, other) => one - other)).toEqual([200, 400, 400])
    expect(await finishSignIn(pool, answer)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session can only be used once.'),
    )
  })

  test('an answer after three minutes is rejected', async () => {
    const zoe = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)

    clock.advance(180_000)

    expect(await finishSignIn(pool, answer)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session is expired.'),
    )
  })

  test('an altered secret block is rejected', async () => {
    const zoe = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)
    const block = Buffer.from(answer['PASSWORD_CLAIM_SECRET_BLOCK'] ?? '', 'base64')
    block.writeUInt8(block.readUInt8(60) ^ 1, 60)

    const altered = { ...answer, PASSWORD_CLAIM_SECRET_BLOCK: block.toString('base64') }

    expect(await finishSignIn(pool, altered)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user.'),
    )
  })

  test('the proof of one user does not sign another user in', async () => {
    const zoe = await aConfirmedUser(pool)
    const ann = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)

    expect(await finishSignIn(pool, { ...answer, USERNAME: ann.sub })).toEqual(WRONG)
    expect(await finishSignIn(pool, { ...answer, USERNAME: zoe.email, DEVICE_KEY: null })).toMatchObject({
      status: 200,
    })
  })

  test('a handshake begun before a password change no longer signs in', async () => {
    const zoe = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)
    const { AccessToken } = await signIn(pool, zoe)

    const changed = await pool.call('ChangePassword', {
      AccessToken,
      PreviousPassword: zoe.password,
      ProposedPassword: 'An0therPassword',
    })

    expect(changed).toEqual({ status: 200, body: {} })
    expect(await finishSignIn(pool, answer)).toEqual(WRONG)
  })

  test.each([
    ['a known user', async () => (await aConfirmedUser(pool)).email],
    ['an unknown name', async () => await Promise.resolve(aPerson().email)],
  ])('five wrong passwords lock %s out for a second, and each further one for longer', async (_who, name) => {
    const login = await name()
    const locked = refusal('NotAuthorizedException', 'Password attempts exceeded')

    for (let failure = 1; failure <= 5; failure += 1) expect(await trySignIn(pool, login, 'Wr0ngOne')).toEqual(WRONG)

    expect(await trySignIn(pool, login, 'Wr0ngOne')).toEqual(locked)
    clock.advance(1000)
    expect(await trySignIn(pool, login, 'Wr0ngOne')).toEqual(WRONG)
    clock.advance(1999)
    expect(await trySignIn(pool, login, 'Wr0ngOne')).toEqual(locked)
    clock.advance(1)
    expect(await trySignIn(pool, login, 'Wr0ngOne')).toEqual(WRONG)
  })

  test('the right password is rejected during a lockout and clears the failure count afterwards', async () => {
    const zoe = await aConfirmedUser(pool)
    for (let failure = 1; failure <= 5; failure += 1) await trySignIn(pool, zoe.email, 'Wr0ngOne')

    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 400 })
    clock.advance(1000)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })
    expect(await trySignIn(pool, zoe.email, 'Wr0ngOne')).toEqual(WRONG)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })
  })

  test('at most five of twenty concurrent guesses are checked', { tags: ['race'] }, async () => {
    const zoe = await aConfirmedUser(pool)
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await beginSignIn(pool, zoe.email, 'Wr0ngOne')),
    )

    const replies = await Promise.all(answers.map(async (answer) => await finishSignIn(pool, answer)))

    const checked = replies.filter((reply) => reply.body['message'] === 'Incorrect username or password.')
    expect(checked).toHaveLength(5)
  })

  test('a sign-in can be finished by another process', async () => {
    const other = await aPool(useDatabase(), { clock, beside: pool })
    const zoe = await aConfirmedUser(pool)

    const answer = await beginSignIn(pool, zoe.email, zoe.password)
    const reply = await finishSignIn(other, answer)

    expect(reply).toMatchObject({ status: 200 })
    expect(other.identity.pool).toEqual(pool.identity.pool)
    await other.close()
  })

  test.each([
    ['no user name', { SRP_A: 'abc' }, 'Missing required parameter USERNAME'],
    ['no public value', { USERNAME: 'zoe' }, 'Missing required parameter SRP_A'],
    ['a public value of zero', { USERNAME: 'zoe', SRP_A: '0' }, 'SRP_A is not a valid public value.'],
  ])('a sign-in with %s gets a named error', async (_what, AuthParameters, message) => {
    expect(await pool.call('InitiateAuth', { AuthFlow: 'USER_SRP_AUTH', AuthParameters })).toEqual(
      refusal('InvalidParameterException', message),
    )
  })

  test('a flow that is not enabled gets a named error', async () => {
    const AuthParameters = { USERNAME: 'zoe', PASSWORD: 'x' }

    expect(await pool.call('InitiateAuth', { AuthFlow: 'CUSTOM_AUTH', AuthParameters })).toEqual(
      refusal('InvalidParameterException', 'CUSTOM_AUTH flow not enabled for this client'),
    )
    expect(await pool.call('InitiateAuth', { AuthFlow: 'ADMIN_NO_SRP_AUTH', AuthParameters })).toEqual(
      refusal('InvalidParameterException', 'Initiate Auth method not supported.'),
    )
  })

  test('a sign-in does not wake the mail queue, but a call that adds a mail does', async () => {
    const zoe = await aConfirmedUser(pool)
    const wake = vi.fn<() => void>()
    const mail = { ...mailForServer({ clock, random: systemRandom }), wake }
    const other = await aPool(useDatabase(), { clock, beside: pool, settings: { mail } })

    await signIn(other, zoe)
    expect(wake).toHaveBeenCalledTimes(0)

    await other.call('ForgotPassword', { Username: zoe.email })
    expect(wake).toHaveBeenCalledTimes(1)
    await other.close()
  })
})
