import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import type { IdentityTables } from '../../base/tables.ts'
import { claimLoginName } from '../../parts/users/login-name-store.ts'
import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signIn, signUp, tokensOf, trySignIn } from '../../testing/people.ts'
import { givePassword, respond } from '../../testing/second-factors.ts'

const DAY_MS = 24 * 3600_000

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

  const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
  const WRONG = refusal('NotAuthorizedException', 'Incorrect username or password.')

  async function anInvitee() {
    const person = aPerson()
    const { username, email, password: temporaryPassword } = person
    const sub = await pool.identity.admin.createUser({ username, email, temporaryPassword })
    return { ...person, sub }
  }

  // Evidence: asvs-6.4.1
  test('a temporary password must be replaced at sign-in and then no longer works', async () => {
    const ann = await anInvitee()

    const asked = await trySignIn(pool, ann.email, ann.password)
    expect(asked.body).toMatchObject({
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      ChallengeParameters: {
        USER_ID_FOR_SRP: ann.sub,
        requiredAttributes: '[]',
        userAttributes: JSON.stringify({ email: ann.email, email_verified: 'true' }),
      },
    })
    expect(await respond(pool, asked, { NEW_PASSWORD: 'short' }, ann.email)).toMatchObject({
      body: { __type: 'InvalidPasswordException' },
    })
    expect(await respond(pool, asked, { NEW_PASSWORD: ann.password }, ann.email)).toMatchObject({
      body: { __type: 'InvalidPasswordException' },
    })
    const answer = { NEW_PASSWORD: 'An0therPassword', 'userAttributes.email': ann.email }
    expect(tokensOf(await respond(pool, asked, answer, ann.email)).AccessToken).toBeTypeOf('string')

    expect(await respond(pool, asked, answer, ann.email)).toMatchObject({
      body: { __type: 'NotAuthorizedException' },
    })
    expect(await trySignIn(pool, ann.email, ann.password)).toEqual(WRONG)
    expect(tokensOf(await trySignIn(pool, ann.email, 'An0therPassword')).AccessToken).toBeTypeOf('string')
  })

  test('a verified attribute cannot be changed while choosing a new password', async () => {
    const ann = await anInvitee()
    const asked = await trySignIn(pool, ann.email, ann.password)

    const answer = { NEW_PASSWORD: 'An0therPassword', 'userAttributes.email': 'eve@example.com' }

    expect(await respond(pool, asked, answer, ann.email)).toEqual(
      refusal('NotAuthorizedException', 'Cannot modify an already provided email'),
    )
  })

  // Evidence: asvs-6.4.1
  test('a temporary password is valid for seven days and then expires', async () => {
    const ann = await anInvitee()

    clock.advance(7 * DAY_MS - 1)
    expect((await trySignIn(pool, ann.email, ann.password)).body['ChallengeName']).toBe('NEW_PASSWORD_REQUIRED')
    clock.advance(1)

    expect(await trySignIn(pool, ann.email, ann.password)).toEqual(
      refusal('NotAuthorizedException', 'Temporary password has expired and must be reset by an administrator.'),
    )
    await pool.identity.admin.setTemporaryPassword(ann.username, 'Temp0raryAgain')
    expect((await trySignIn(pool, ann.email, 'Temp0raryAgain')).body['ChallengeName']).toBe('NEW_PASSWORD_REQUIRED')
  })

  test('a user with a temporary password gets no reset code but the same reply as an unknown name', async () => {
    const ann = await anInvitee()
    const { body, status } = await pool.call('ForgotPassword', { Username: ann.email })

    expect({ body, status }).toEqual(await pool.call('ForgotPassword', { Username: `z${ann.email}` }))
    const reset = { Username: ann.email, ConfirmationCode: '123456', Password: 'An0therPassword' }
    expect(await pool.call('ConfirmForgotPassword', reset)).toMatchObject({ status: 400 })
    expect((await trySignIn(pool, ann.email, ann.password)).body['ChallengeName']).toBe('NEW_PASSWORD_REQUIRED')
    // Mails are sent in order, so a reset mail would be there before this one.
    await pool.call('ForgotPassword', { Username: (await aConfirmedUser(pool)).email })
    expect((await pool.readMails(ann.email)).filter((mail) => /^\d{6}$/mu.test(mail))).toEqual([])
  })

  const reset = async ({ username: Username }: { username: string }, ConfirmationCode: string) =>
    await pool.call('ConfirmForgotPassword', { Username, ConfirmationCode, Password: 'Attack3rPass' })
  const EXPIRED = refusal('ExpiredCodeException', 'Invalid code provided, please request a code again.')

  // Evidence: asvs-6.4.1
  test('a temporary password voids an earlier reset link, even after the user has replaced the password', async () => {
    const zoe = await aConfirmedUser(pool)
    const code = (await pool.identity.directory.makeResetCode(zoe.sub)) ?? ''
    await pool.identity.admin.setTemporaryPassword(zoe.username, 'Temp0rary')

    expect(await reset(zoe, code)).toMatchObject({ status: 400 })
    const asked = await trySignIn(pool, zoe.email, 'Temp0rary')
    expect(await respond(pool, asked, { NEW_PASSWORD: 'An0therPassword' }, zoe.email)).toMatchObject({ status: 200 })

    expect(await reset(zoe, code)).toEqual(EXPIRED)
    expect(await trySignIn(pool, zoe.email, 'An0therPassword')).toMatchObject({ status: 200 })
  })

  test('a reset code sent before an account is disabled stays void when the account is enabled again', async () => {
    const zoe = await aConfirmedUser(pool)
    await pool.call('ForgotPassword', { Username: zoe.username })
    const code = await pool.readCode(zoe.email, 2)
    await pool.identity.admin.disableUser(zoe.username)
    await pool.identity.admin.enableUser(zoe.username)

    expect(await reset(zoe, code)).toEqual(EXPIRED)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })
  })

  // Evidence: asvs-7.4.5
  test('setting a temporary password ends the sessions of the user', async () => {
    const zoe = await aConfirmedUser(pool)
    const { IdToken } = await signIn(pool, zoe)

    await pool.identity.admin.setTemporaryPassword(zoe.username, 'Temp0rary')

    await expect(pool.identity.verifyIdToken(IdToken)).rejects.toThrow('revoked')
    expect(await trySignIn(pool, zoe.email, zoe.password)).toEqual(WRONG)
  })

  test('a required reset is revealed only after the right password, and the new password signs in', async () => {
    const zoe = await aConfirmedUser(pool)
    const { RefreshToken } = await signIn(pool, zoe)
    await pool.identity.admin.requirePasswordReset(zoe.username)

    expect(await trySignIn(pool, zoe.email, 'Wr0ngPassword')).toEqual(WRONG)
    const required = refusal('PasswordResetRequiredException', 'Password reset required for the user')
    expect(await trySignIn(pool, zoe.email, zoe.password)).toEqual(required)
    expect(await givePassword(pool, zoe.email, zoe.password)).toEqual(required)
    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 400 })

    await pool.call('ForgotPassword', { Username: zoe.email })
    const ConfirmationCode = await pool.readCode(zoe.email, 2)
    await pool.call('ConfirmForgotPassword', { Username: zoe.email, ConfirmationCode, Password: 'An0therPassword' })
    expect(await trySignIn(pool, zoe.email, 'An0therPassword')).toMatchObject({ status: 200 })
  })

  // Evidence: asvs-7.4.2
  test('a disabled account is revealed only after the right password, and works again when enabled', async () => {
    const zoe = await aConfirmedUser(pool)
    const tokens = await signIn(pool, zoe)
    await pool.identity.admin.disableUser(zoe.username)

    expect(await trySignIn(pool, zoe.email, 'Wr0ngPassword')).toEqual(WRONG)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toEqual(
      refusal('NotAuthorizedException', 'User is disabled.'),
    )
    expect(await pool.call('GetUser', { AccessToken: tokens.AccessToken })).toEqual(
      refusal('NotAuthorizedException', 'User is disabled.'),
    )
    await expect(pool.identity.verifyIdToken(tokens.IdToken)).rejects.toThrow('revoked')
    await pool.identity.admin.enableUser(zoe.username)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })
  })

  test('a code entered after an operator confirmed the user gets the answer that the user is confirmed', async () => {
    const zoe = aPerson()
    const sub = await signUp(pool, zoe)
    const ConfirmationCode = await pool.readCode(zoe.email)
    expect(await pool.identity.directory.confirm(sub)).toBeUndefined()

    const confirm = async (Username: string) => await pool.call('ConfirmSignUp', { Username, ConfirmationCode })
    expect(await confirm(zoe.username)).toEqual(
      refusal('NotAuthorizedException', 'User cannot be confirmed. Current status is CONFIRMED'),
    )
    // An address does not tell whether it has a confirmed account.
    expect(await confirm(zoe.email)).toEqual(EXPIRED)
    expect(await pool.identity.directory.confirm(sub)).toBe('not-waiting')
  })

  test('an id finds its own user even if it is the username of another, and new usernames cannot be ids', async () => {
    const zoe = await aConfirmedUser(pool)
    const eve = await aConfirmedUser(pool)
    const { directory, admin } = pool.identity
    // Earlier versions allowed such names.
    const name = { nameKey: zoe.sub, sub: eve.sub, kind: 'username' } as const
    await useDatabase()
      .withTables<IdentityTables>()
      .transaction(async (trx) => await claimLoginName(trx, name))

    expect(await directory.find(` ${zoe.sub.toUpperCase()} `)).toMatchObject({ userId: zoe.sub })
    expect(await directory.find(eve.sub)).toMatchObject({ userId: eve.sub })
    const { email } = aPerson()
    const made = admin.createUser({ username: randomUUID().toUpperCase(), email, temporaryPassword: 'Temp0rary' })
    await expect(made).rejects.toMatchObject({ message: 'Invalid username.' })
  })

  test('an administrator gets an error for a name that is taken, unknown or unconfirmed', async () => {
    const zoe = await aConfirmedUser(pool)
    const { admin } = pool.identity
    const pending = aPerson()
    await signUp(pool, pending)
    const make = async (username: string, email: string) =>
      await admin.createUser({ username, email, temporaryPassword: 'Temp0rary' })

    await expect(make(zoe.username, aPerson().email)).rejects.toMatchObject({ type: 'UsernameExistsException' })
    await expect(make(aPerson().username, zoe.email)).rejects.toMatchObject({ type: 'AliasExistsException' })
    await expect(admin.requirePasswordReset('unknown')).rejects.toMatchObject({ type: 'UserNotFoundException' })
    await expect(admin.disableUser(pending.username)).rejects.toMatchObject({ type: 'UserNotFoundException' })
  })
})
