import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { NO_CALLER } from '@marquee/platform/http/caller'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { confirmDevice, type DeviceTokens } from '../../testing/devices.ts'
import { aConfirmedUser, aPerson, signIn, signUp, trySignIn } from '../../testing/people.ts'
import { givePassword, mustSucceed, respond } from '../../testing/second-factors.ts'

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock, settings: { deviceTracking: 'on' } })
  })
  afterAll(async () => {
    await pool.close()
  })

  const kindsOf = async (sub: string) => {
    const events = await pool.identity.account.listEvents(sub, { before: undefined, limit: 50 })
    return events.map(({ kind }) => kind)
  }
  const expectMail = async (to: string, subject: string) => {
    await vi.waitFor(
      async () => {
        expect((await pool.readMails(to)).join('\n')).toContain(`Subject: ${subject} on Marquee\n`)
      },
      { timeout: 30_000, interval: 5 },
    )
  }
  async function anInvitee() {
    const person = aPerson()
    const { username, email, password: temporaryPassword } = person
    const sub = await pool.identity.admin.createUser({ username, email, temporaryPassword })
    return { ...person, sub }
  }

  test('an account made by an administrator is recorded and its owner is notified', async () => {
    const ann = await anInvitee()

    expect(await kindsOf(ann.sub)).toEqual(['admin-made-account'])
    await expectMail(ann.email, 'An account was created for you')
    const [mail = ''] = await pool.readMails(ann.email)
    expect(mail).not.toContain(ann.password)
    expect(mail).toContain('write to the people who run the site')
  })

  test('replacing a temporary password is recorded and mailed', async () => {
    const ann = await anInvitee()
    const asked = await trySignIn(pool, ann.email, ann.password)
    await respond(pool, asked, { NEW_PASSWORD: 'An0therPassword' }, ann.email)

    expect(await kindsOf(ann.sub)).toEqual(['signed-in', 'temporary-password-replaced', 'admin-made-account'])
    await expectMail(ann.email, 'Your own password was set')
  })

  test.each([
    [
      'admin-set-password',
      'You were given a temporary password',
      async ({ username }: { username: string }) =>
        await pool.identity.admin.setTemporaryPassword(username, 'Temp0raryAgain'),
    ],
    [
      'admin-required-reset',
      'You need a new password',
      async ({ username }: { username: string }) => await pool.identity.admin.requirePasswordReset(username),
    ],
    [
      'admin-disabled-account',
      'Your account was disabled',
      async ({ username }: { username: string }) => await pool.identity.admin.disableUser(username),
    ],
    [
      'admin-enabled-account',
      'Your account was enabled again',
      async ({ username }: { username: string }) => await pool.identity.admin.enableUser(username),
    ],
    [
      'admin-made-reset-link',
      'A link to set a new password was created',
      async ({ sub }: { sub: string }) => {
        await pool.identity.directory.makeResetCode(sub)
      },
    ],
  ])('an administrator action is recorded as %s and mailed as “%s”', async (kind, subject, act) => {
    const zoe = await aConfirmedUser(pool)
    await act(zoe)

    expect(await kindsOf(zoe.sub)).toEqual([kind, 'signed-up'])
    await expectMail(zoe.email, subject)
  })

  test('a sign-up confirmed by an administrator is recorded and mailed', async () => {
    const zoe = aPerson()
    const sub = await signUp(pool, zoe)
    await pool.identity.directory.confirm(sub)

    expect(await kindsOf(sub)).toEqual(['admin-confirmed-account'])
    await expectMail(zoe.email, 'Your account was confirmed')
  })

  test('a failed administrator action is not recorded', async () => {
    const zoe = await aConfirmedUser(pool)
    await pool.identity.directory.confirm(zoe.sub)
    const { username, email } = aPerson()
    const taken = { username, email: zoe.email, temporaryPassword: 'Temp0raryAgain' }
    await expect(pool.identity.admin.createUser(taken)).rejects.toThrow('already exists')
    await expect(pool.identity.admin.disableUser(email)).rejects.toThrow('does not exist')

    expect(await kindsOf(zoe.sub)).toEqual(['signed-up'])
  })

  test('setting up codes by mail during a sign-in is recorded and mailed', async () => {
    const strict = await aPool(useDatabase(), { clock, beside: pool, settings: { mfa: 'required' } })
    const zoe = await aConfirmedUser(strict)
    const asked = await givePassword(strict, zoe.email, zoe.password)
    const mailed = await respond(strict, asked, { EMAIL: zoe.email }, zoe.email)
    const EMAIL_OTP_CODE = await strict.readCode(zoe.email, 2)
    expect(await respond(strict, mailed, { EMAIL_OTP_CODE }, zoe.email)).toMatchObject({ status: 200 })

    expect(await kindsOf(zoe.sub)).toEqual(['signed-in', 'second-factor-on', 'signed-up'])
    await expectMail(zoe.email, 'Your account now has a second step')
    await strict.close()
  })

  test('removing a phone number is recorded and mailed, and so is the loss of the second factor that used it', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    const phone = `+49151${String(Date.now()).slice(-8)}`
    const attribute = { Name: 'phone_number', Value: phone }
    await mustSucceed(pool, 'UpdateUserAttributes', { AccessToken, UserAttributes: [attribute] })
    const Code = await pool.readSmsCode(phone)
    await mustSucceed(pool, 'VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, SMSMfaSettings: { Enabled: true } })
    const remove = { AccessToken, UserAttributeNames: ['phone_number'] }
    await mustSucceed(pool, 'DeleteUserAttributes', remove)
    await mustSucceed(pool, 'DeleteUserAttributes', remove)

    const kinds = ['second-factor-off', 'phone-removed', 'second-factor-on', 'phone-changed', 'signed-in', 'signed-up']
    expect(await kindsOf(zoe.sub)).toEqual(kinds)
    await expectMail(zoe.email, 'Your phone number was removed')
    await expectMail(zoe.email, 'A second step was turned off')
  })

  test('a change to personal tokens is recorded, and the user is notified', async () => {
    const zoe = await aConfirmedUser(pool)

    await useDatabase().transaction(async (trx) => {
      await pool.identity.account.recordChange(trx, zoe.sub, 'personal-token-made', NO_CALLER)
      await pool.identity.account.recordChange(trx, zoe.sub, 'personal-token-revoked', NO_CALLER)
    })
    pool.ports.mail.wake()

    expect(await kindsOf(zoe.sub)).toEqual(['personal-token-revoked', 'personal-token-made', 'signed-up'])
    await expectMail(zoe.email, 'A personal access token was created')
  })

  test('remembering or forgetting a device is recorded, once per change', async () => {
    const zoe = await aConfirmedUser(pool)
    const tokens: DeviceTokens = await signIn(pool, zoe)
    const { AccessToken } = tokens
    const { key: DeviceKey } = await confirmDevice(pool, tokens)
    for (const DeviceRememberedStatus of ['remembered', 'not_remembered', 'not_remembered', 'remembered']) {
      await mustSucceed(pool, 'UpdateDeviceStatus', { AccessToken, DeviceKey, DeviceRememberedStatus })
    }

    const kinds = ['device-remembered', 'device-not-remembered', 'device-remembered', 'signed-in', 'signed-up']
    expect(await kindsOf(zoe.sub)).toEqual(kinds)
  })
})
