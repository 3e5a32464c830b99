import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { NO_CALLER } from '@marquee/platform/http/caller'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, beginSignIn, finishSignIn, signIn } from '../../testing/people.ts'
import { appCode, aUserWithApp, mustSucceed } from '../../testing/second-factors.ts'

const NEW_PASSWORD = 'An0ther-Passw0rd'
const FIREFOX = {
  ...NO_CALLER,
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0',
}

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

  const kindsOf = async (sub: string) => {
    const events = await pool.identity.account.listEvents(sub, { before: undefined, limit: 50 })
    return events.map(({ kind }) => kind)
  }
  const mailNumber = async (to: string, number: number) =>
    await vi.waitFor(
      async () => {
        const mail = (await pool.readMails(to))[number - 1]
        if (mail === undefined) throw new Error(`There is no mail number ${number} to ${to}`)
        return mail
      },
      { timeout: 30_000, interval: 5 },
    )

  // Evidence: asvs-16.3.1
  test('sign-up, sign-in and password change are listed newest first, with time and program', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    clock.advance(1_000)
    await mustSucceed(pool, 'ChangePassword', {
      AccessToken,
      PreviousPassword: zoe.password,
      ProposedPassword: NEW_PASSWORD,
    })

    expect(await kindsOf(zoe.sub)).toEqual(['password-changed', 'signed-in', 'signed-up'])
    const [newest] = await pool.identity.account.listEvents(zoe.sub, { before: undefined, limit: 1 })
    expect(newest).toMatchObject({ at: clock.now().toISOString(), client: '' })
    const older = await pool.identity.account.listEvents(zoe.sub, { before: newest?.eventId, limit: 1 })
    expect(older).toMatchObject([{ kind: 'signed-in' }])
  })

  test('the mail about a password change contains no link', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    await mustSucceed(pool, 'ChangePassword', {
      AccessToken,
      PreviousPassword: zoe.password,
      ProposedPassword: NEW_PASSWORD,
    })

    const mail = await mailNumber(zoe.email, 2)
    expect(mail).toContain('Subject: Your password was changed on Marquee')
    expect(mail).toContain('all other devices were signed out')
    expect(mail).not.toMatch(/https?:/u)
  })

  test('a change of the e-mail address is reported to the old address', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    const fresh = `new.${zoe.email}`
    await mustSucceed(pool, 'UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'email', Value: fresh }] })
    const Code = await pool.readCode(fresh)
    await mustSucceed(pool, 'VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code })

    expect(await mailNumber(zoe.email, 2)).toContain('Subject: Your e-mail address was changed on Marquee')
    expect(await kindsOf(zoe.sub)).toContain('email-changed')
  })

  test('enabling and disabling the second factor is recorded and mailed, once per change', async () => {
    const zoe = await aUserWithApp(pool, () => clock.now())
    const { AccessToken } = zoe.tokens
    const off = { AccessToken, SoftwareTokenMfaSettings: { Enabled: false } }
    await mustSucceed(pool, 'SetUserMFAPreference', off)
    await mustSucceed(pool, 'SetUserMFAPreference', off)

    expect((await kindsOf(zoe.sub)).filter((kind) => kind.startsWith('second'))).toEqual([
      'second-factor-off',
      'second-factor-on',
    ])
    expect(await mailNumber(zoe.email, 3)).toContain('Subject: A second step was turned off')
  })

  test('enabling a first app is recorded, and replacing it is recorded and mailed', async () => {
    const zoe = await aUserWithApp(pool, () => clock.now())
    const { AccessToken } = zoe.tokens
    const { body } = await mustSucceed(pool, 'AssociateSoftwareToken', { AccessToken })
    clock.advance(60_000)
    const UserCode = appCode(String(body['SecretCode']), clock.now())
    await mustSucceed(pool, 'VerifySoftwareToken', { AccessToken, UserCode })

    expect(await kindsOf(zoe.sub)).toEqual(['app-set-up', 'second-factor-on', 'signed-in', 'signed-up'])
    expect(await mailNumber(zoe.email, 3)).toContain('Subject: Another authenticator app was set up on Marquee')
  })

  test('reuse of a refresh token is recorded and mailed only once', async () => {
    const zoe = await aConfirmedUser(pool)
    const { RefreshToken } = await signIn(pool, zoe)
    await mustSucceed(pool, 'GetTokensFromRefreshToken', { RefreshToken })
    clock.advance(61_000)
    for (let again = 0; again < 2; again += 1) {
      expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 400 })
    }

    expect(await kindsOf(zoe.sub)).toEqual(['session-stolen', 'signed-in', 'signed-up'])
    expect(await mailNumber(zoe.email, 2)).toContain('Subject: A sign-in was ended on Marquee')
  })

  test('the mail about a deleted account does not suggest a password reset', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    await mustSucceed(pool, 'DeleteUser', { AccessToken })

    const mail = await mailNumber(zoe.email, 2)
    expect(mail).toContain('Subject: Your account was deleted on Marquee')
    expect(mail).not.toContain('Forgot your password')
    expect(await kindsOf(zoe.sub)).toEqual([])
  })

  // Evidence: asvs-7.5.2
  test('active sessions are listed with the time of their last use, and an ended one is rejected at once', async () => {
    const zoe = await aConfirmedUser(pool)
    const first = await signIn(pool, zoe)
    clock.advance(60_000)
    const second = await signIn(pool, zoe)
    clock.advance(60_000)
    await mustSucceed(pool, 'GetTokensFromRefreshToken', { RefreshToken: first.RefreshToken })
    const { listSessions, endSession } = pool.identity.account
    const sessions = await listSessions(zoe.sub)
    const firstId = String(decodeJwt(first.IdToken)['origin_jti'])

    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({ sessionId: decodeJwt(second.IdToken)['origin_jti'] })
    expect(sessions[1]).toMatchObject({ sessionId: firstId, usedAt: clock.now().toISOString() })
    expect(await endSession(zoe.sub, firstId, NO_CALLER)).toBe(true)
    expect(await endSession(zoe.sub, firstId, NO_CALLER)).toBe(false)
    expect(await listSessions(zoe.sub)).toHaveLength(1)
    await expect(pool.identity.verifyIdToken(first.IdToken)).rejects.toThrow('revoked')
    expect(await pool.call('GetUser', { AccessToken: first.AccessToken })).toMatchObject({ status: 400 })
    expect(await pool.call('GetUser', { AccessToken: second.AccessToken })).toMatchObject({ status: 200 })
  })

  test('a sign-in is fresh for 15 minutes regardless of refreshes, unless its session ends', async () => {
    const zoe = await aConfirmedUser(pool)
    const tokens = await signIn(pool, zoe)
    const sessionId = String(decodeJwt(tokens.IdToken)['origin_jti'])
    const { isFresh, endSession } = pool.identity.account

    expect(await isFresh(zoe.sub, sessionId)).toBe(true)
    clock.advance(15 * 60_000)
    expect(await isFresh(zoe.sub, sessionId)).toBe(true)
    clock.advance(1_000)
    await mustSucceed(pool, 'GetTokensFromRefreshToken', { RefreshToken: tokens.RefreshToken })
    expect(await isFresh(zoe.sub, sessionId)).toBe(false)

    const again = String(decodeJwt((await signIn(pool, zoe)).IdToken)['origin_jti'])
    expect(await isFresh(zoe.sub, again)).toBe(true)
    const eve = await aConfirmedUser(pool)
    expect(await isFresh(eve.sub, again)).toBe(false)
    await endSession(zoe.sub, again, NO_CALLER)
    expect(await isFresh(zoe.sub, again)).toBe(false)
  })

  test('actions on an account are recorded with the program of the caller', async () => {
    const zoe = await aConfirmedUser(pool)
    const sessionId = String(decodeJwt((await signIn(pool, zoe)).IdToken)['origin_jti'])
    const { endSession, exportData, listEvents, makeRecoveryCodes } = pool.identity.account

    await makeRecoveryCodes(zoe.sub, FIREFOX)
    await endSession(zoe.sub, sessionId, FIREFOX)
    await exportData(zoe.sub, FIREFOX)

    expect(await listEvents(zoe.sub, { before: undefined, limit: 3 })).toMatchObject([
      { kind: 'data-exported', client: 'Firefox on Windows' },
      { kind: 'session-ended', client: 'Firefox on Windows' },
      { kind: 'recovery-codes-made', client: 'Firefox on Windows' },
    ])
  })

  test('a user cannot end the session of another user', async () => {
    const [zoe, eve] = [await aConfirmedUser(pool), await aConfirmedUser(pool)]
    const { IdToken } = await signIn(pool, zoe)

    expect(await pool.identity.account.endSession(eve.sub, String(decodeJwt(IdToken)['origin_jti']), NO_CALLER)).toBe(
      false,
    )
    await expect(pool.identity.verifyIdToken(IdToken)).resolves.toMatchObject({ userId: zoe.sub })
  })

  test("an export contains the user's data without secrets, and is recorded", async () => {
    const zoe = await aUserWithApp(pool, () => clock.now())
    const exported = await pool.identity.account.exportData(zoe.sub, NO_CALLER)

    expect(exported).toMatchObject({
      userId: zoe.sub,
      username: zoe.username,
      email: zoe.email,
      secondFactors: ['SOFTWARE_TOKEN_MFA'],
      sessions: [{ client: '' }],
    })
    expect(exported?.events.map(({ kind }) => kind)).toContain('data-exported')
    const text = JSON.stringify(exported)
    for (const secret of [zoe.password, zoe.secret, zoe.tokens.RefreshToken]) expect(text).not.toContain(secret)
    expect(await pool.identity.account.exportData('unknown', NO_CALLER)).toBeUndefined()
  })

  test('a sign-in answer that is sent twice concurrently is recorded once', { tags: ['race'] }, async () => {
    const zoe = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)
    await Promise.all([finishSignIn(pool, answer), finishSignIn(pool, answer)])

    expect(await kindsOf(zoe.sub)).toEqual(['signed-in', 'signed-up'])
  })
})
