import { afterAll, beforeAll, expect, test } from 'vitest'

import { NO_CALLER } from '@marquee/platform/http/caller'
import { createLogger } from '@marquee/platform/runtime/logger'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from '../testing/a-pool.ts'
import { aPerson, finishSignIn, beginSignIn, signIn, trySignIn } from '../testing/people.ts'
import { appCode, givePassword, mustSucceed, respond } from '../testing/second-factors.ts'

const WRONG_PASSWORD = 'Wr0ng-guess-of-mine'
const NEW_PASSWORD = 'Qu1te-another-one'
const RESET_PASSWORD = 'Th3-one-after-reset'

/** All tokens, sessions and secrets in a reply, at any depth. */
function secretsIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => {
    if (typeof value === 'string') return /Token$|^Session$|SecretCode|SECRET_BLOCK/u.test(name) ? [value] : []
    return secretsIn(value)
  })
}

eachStatement(POOL_TABLES, (theDatabase) => {
  const lines: string[] = []
  const refusals: { status: number; text: string }[] = []
  const secrets = new Set<string>()
  let pool: RunningPool

  beforeAll(async () => {
    const logger = createLogger('trace', { destination: { write: (line: string) => void lines.push(line) } })
    const opened = await aPool(theDatabase(), { logger })
    pool = {
      ...opened,
      call: async (operation, body) => {
        const reply = await opened.call(operation, body)
        if (reply.status === 200) for (const secret of secretsIn(reply.body)) secrets.add(secret)
        else refusals.push({ status: reply.status, text: JSON.stringify(reply.body) })
        return reply
      },
    }
  })
  afterAll(async () => {
    await pool.close()
  })

  const findLeaks = (text: string) => [...secrets].filter((secret) => text.includes(secret))

  async function live(): Promise<void> {
    const ana = aPerson()
    const newEmail = `new.${ana.email}`
    for (const secret of [ana.password, ana.email, newEmail, WRONG_PASSWORD, NEW_PASSWORD, RESET_PASSWORD]) {
      secrets.add(secret)
    }
    const UserAttributes = [{ Name: 'email', Value: ana.email }]
    const made = { Username: ana.username, Password: ana.password, UserAttributes }
    await mustSucceed(pool, 'SignUp', made)
    await pool.call('SignUp', made)
    await pool.call('SignUp', { ...made, Password: 'short' })
    const ConfirmationCode = await pool.readCode(ana.email)
    secrets.add(ConfirmationCode)
    await pool.call('ConfirmSignUp', { Username: ana.email, ConfirmationCode: 'no-code' })
    await mustSucceed(pool, 'ConfirmSignUp', { Username: ana.username, ConfirmationCode })

    await trySignIn(pool, ana.email, WRONG_PASSWORD)
    await givePassword(pool, ana.email, WRONG_PASSWORD)
    const used = await beginSignIn(pool, ana.email, ana.password)
    await finishSignIn(pool, used)
    await finishSignIn(pool, used)
    const { AccessToken, RefreshToken, IdToken } = await signIn(pool, ana)
    await pool.call('GetUser', { AccessToken: IdToken })
    await pool.call('GetUser', { AccessToken: `${AccessToken}x` })
    await mustSucceed(pool, 'GetTokensFromRefreshToken', { RefreshToken })
    await pool.call('GetTokensFromRefreshToken', { RefreshToken: AccessToken })

    const change = { AccessToken, ProposedPassword: NEW_PASSWORD }
    await pool.call('ChangePassword', { ...change, PreviousPassword: WRONG_PASSWORD })
    await mustSucceed(pool, 'ChangePassword', { ...change, PreviousPassword: ana.password })
    await useApp(AccessToken, ana.username)

    await mustSucceed(pool, 'UpdateUserAttributes', {
      AccessToken,
      UserAttributes: [{ Name: 'email', Value: newEmail }],
    })
    const Code = await pool.readCode(newEmail)
    secrets.add(Code)
    await pool.call('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code: 'no-code' })
    await mustSucceed(pool, 'VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code })

    await mustSucceed(pool, 'ForgotPassword', { Username: newEmail })
    const resetCode = await pool.readCode(newEmail, 2)
    secrets.add(resetCode)
    const reset = { Username: newEmail, Password: RESET_PASSWORD }
    await pool.call('ConfirmForgotPassword', { ...reset, ConfirmationCode: 'no-code' })
    await mustSucceed(pool, 'ConfirmForgotPassword', { ...reset, ConfirmationCode: resetCode })
    await pool.call('GetUser', { AccessToken })
  }

  async function useApp(AccessToken: string, username: string): Promise<void> {
    const { body } = await mustSucceed(pool, 'AssociateSoftwareToken', { AccessToken })
    const UserCode = appCode(String(body['SecretCode']), new Date())
    secrets.add(UserCode)
    await mustSucceed(pool, 'VerifySoftwareToken', { AccessToken, UserCode })
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } })
    const { sub } = JSON.parse(Buffer.from(AccessToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
    const [code = ''] = await pool.identity.account.makeRecoveryCodes(sub, NO_CALLER)
    secrets.add(code)
    const asked = await givePassword(pool, username, NEW_PASSWORD)
    await respond(pool, asked, { SOFTWARE_TOKEN_MFA_CODE: UserCode }, username)
    await respond(pool, asked, { SOFTWARE_TOKEN_MFA_CODE: code }, username)
  }

  // Evidence: asvs-14.2.4, asvs-16.2.5
  test('a full account life cycle with failures leaves no secret in logs or error replies', async () => {
    await live()

    expect(secrets.size).toBeGreaterThan(20)
    expect(refusals.length).toBeGreaterThan(10)
    expect(refusals.filter(({ status }) => status >= 500)).toEqual([])
    expect(refusals.flatMap(({ text }) => findLeaks(text))).toEqual([])
    expect(findLeaks(lines.join(''))).toEqual([])
  })

  test('a database error is logged with the failed statement but without its values', async () => {
    const [ana, ben] = [aPerson(), aPerson()]
    for (const secret of [ana.email, ana.password]) secrets.add(secret)
    const signUpAs = async (Username: string) =>
      await pool.call('SignUp', {
        Username,
        Password: ana.password,
        UserAttributes: [{ Name: 'email', Value: ana.email }],
      })
    // PostgreSQL repeats the value that violates a unique index in its error.
    const { schema } = pool.ports.database.schema
    await schema.createIndex('one_address').unique().on('identity_pending_email').column('email_key').execute()
    const seen = lines.length

    const taken = await signUpAs(ana.username)
    const refused = await signUpAs(ben.username)
    await schema.dropIndex('one_address').execute()

    expect(taken.status).toBe(200)
    expect(refused).toMatchObject({ status: 500, body: { message: 'Something went wrong' } })
    const logged = lines.slice(seen).join('')
    expect(logged).toContain('an identity call failed')
    expect(logged).toMatch(/one_address|identity_pending_email/u)
    expect(findLeaks(logged)).toEqual([])
    expect(findLeaks(JSON.stringify(refused.body))).toEqual([])
  })
})
