import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { aConfirmedUser, beginSignIn, finishSignIn } from '../testing/people.ts'
import { appCode, aUserWithApp, givePassword, respond } from '../testing/second-factors.ts'

const STEP_MS = 30_000
const REFUSED = { status: 400, body: { __type: 'NotAuthorizedException' } }

/** The sealed value with one bit flipped in each of its parts: key id, iv, tag, content, end. */
function tampered(sealed: string, encoding: 'base64' | 'base64url'): string[] {
  const bytes = Buffer.from(sealed, encoding)
  return [0, 4, 16, 32, bytes.length - 1].map((at) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
    return copy.toString(encoding)
  })
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

  // Evidence: asvs-11.3.3
  test('a SECRET_BLOCK with one bit changed anywhere is rejected', async () => {
    const zoe = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)
    for (const block of tampered(answer['PASSWORD_CLAIM_SECRET_BLOCK'] ?? '', 'base64')) {
      expect(await finishSignIn(pool, { ...answer, PASSWORD_CLAIM_SECRET_BLOCK: block })).toMatchObject(REFUSED)
    }
    expect(await finishSignIn(pool, answer)).toMatchObject({ status: 200 })
  })

  test(
    'an answer that signed a user in is rejected when sent again, even concurrently',
    { tags: ['race'] },
    async () => {
      const zoe = await aConfirmedUser(pool)
      const answer = await beginSignIn(pool, zoe.email, zoe.password)

      const replies = await Promise.all(Array.from({ length: 5 }, async () => await finishSignIn(pool, answer)))

      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await finishSignIn(pool, answer)).toMatchObject(REFUSED)
    },
  )

  test('a SECRET_BLOCK works only for its own user', async () => {
    const zoe = await aConfirmedUser(pool)
    const eve = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, eve.email, eve.password)

    for (const USERNAME of [zoe.sub, zoe.username, zoe.email]) {
      expect(await finishSignIn(pool, { ...answer, USERNAME })).toMatchObject(REFUSED)
    }
  })

  // Evidence: asvs-11.3.3
  test('a Session with one bit changed anywhere is rejected', async () => {
    const user = await aUserWithApp(pool, () => clock.now())
    clock.advance(STEP_MS)
    const asked = await givePassword(pool, user.email, user.password)
    const code = { SOFTWARE_TOKEN_MFA_CODE: appCode(user.secret, clock.now()) }

    for (const Session of tampered(String(asked.body['Session']), 'base64url')) {
      const changed = { ...asked, body: { ...asked.body, Session } }
      expect(await respond(pool, changed, code, user.email)).toMatchObject(REFUSED)
    }
    expect(await respond(pool, asked, code, user.email)).toMatchObject({ status: 200 })
  })

  test('a Session works only for its own user, with the second factor of that user', async () => {
    const zoe = await aUserWithApp(pool, () => clock.now())
    const eve = await aUserWithApp(pool, () => clock.now())
    clock.advance(STEP_MS)
    const asked = await givePassword(pool, zoe.email, zoe.password)
    const hers = { SOFTWARE_TOKEN_MFA_CODE: appCode(eve.secret, clock.now()) }
    const right = { SOFTWARE_TOKEN_MFA_CODE: appCode(zoe.secret, clock.now()) }

    expect(await respond(pool, asked, right, eve.email)).toMatchObject(REFUSED)
    expect((await respond(pool, asked, hers, zoe.email)).status).toBe(400)
  })

  // Evidence: asvs-2.3.1
  test('a Session answers only its own challenge', async () => {
    const user = await aUserWithApp(pool, () => clock.now())
    const asked = await givePassword(pool, user.email, user.password)

    for (const ChallengeName of ['NEW_PASSWORD_REQUIRED', 'MFA_SETUP', 'SELECT_MFA_TYPE', 'EMAIL_OTP', 'SMS_MFA']) {
      const moved = { ...asked, body: { ...asked.body, ChallengeName } }
      const answers = { NEW_PASSWORD: 'An0therPassword', ANSWER: 'SOFTWARE_TOKEN_MFA', EMAIL_OTP_CODE: '12345678' }
      const reply = await respond(pool, moved, { ...answers, SMS_MFA_CODE: '123456' }, user.email)
      expect(reply.status).toBe(400)
      expect(reply.body['AuthenticationResult']).toBeUndefined()
    }
  })

  test('a SECRET_BLOCK is not accepted as a Session, or a Session as a SECRET_BLOCK', async () => {
    const user = await aUserWithApp(pool, () => clock.now())
    const answer = await beginSignIn(pool, user.email, user.password)
    const asked = await givePassword(pool, user.email, user.password)
    const block = Buffer.from(answer['PASSWORD_CLAIM_SECRET_BLOCK'] ?? '', 'base64').toString('base64url')
    const session = Buffer.from(String(asked.body['Session']), 'base64url').toString('base64')

    const swapped = { ...asked, body: { ...asked.body, Session: block } }
    expect(await respond(pool, swapped, { SOFTWARE_TOKEN_MFA_CODE: '123456' }, user.email)).toMatchObject(REFUSED)
    expect(await finishSignIn(pool, { ...answer, PASSWORD_CLAIM_SECRET_BLOCK: session })).toMatchObject(REFUSED)
  })

  // Evidence: asvs-2.3.1, asvs-6.3.4
  test('the second factor cannot be skipped: the password alone never gives tokens', async () => {
    const user = await aUserWithApp(pool, () => clock.now())
    const asked = await givePassword(pool, user.email, user.password)
    const overSrp = await finishSignIn(pool, await beginSignIn(pool, user.email, user.password))

    for (const reply of [asked, overSrp]) expect(reply.body['AuthenticationResult']).toBeUndefined()
    const { status } = await pool.call('AssociateSoftwareToken', { Session: asked.body['Session'] })
    expect(status).toBe(400)
  })
})
