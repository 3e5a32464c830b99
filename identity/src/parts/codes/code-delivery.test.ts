import { eachStatement } from '@marquee/platform/testing/each-database'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { IdentityPorts } from '../../index.ts'
import { aPool, POOL_TABLES, type RunningPool } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signIn, signUp } from '../../testing/people.ts'

eachStatement(POOL_TABLES, (useDatabase) => {
  const sent: string[] = []
  let pool: RunningPool
  let noting: RunningPool
  beforeAll(async () => {
    pool = await aPool(useDatabase())
    const { mail } = pool.ports
    const enqueue: IdentityPorts['mail']['enqueue'] = async (trx, message, options) => {
      sent.push(`${options?.isUrgent === true ? 'urgent' : 'later'}: ${message.subject}`)
      return await mail.enqueue(trx, message, options)
    }
    noting = await aPool(useDatabase(), { beside: pool, settings: { mail: { ...mail, enqueue } } })
  })
  afterAll(async () => {
    await noting.close()
    await pool.close()
  })

  test('mails with codes are urgent, and security notices are not', async () => {
    const zoe = await aConfirmedUser(pool)
    const { username, password } = zoe
    const { AccessToken } = await signIn(pool, zoe)

    await signUp(noting, aPerson())
    await noting.call('ForgotPassword', { Username: username })
    await noting.call('InitiateAuth', {
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: username, PREFERRED_CHALLENGE: 'EMAIL_OTP' },
    })
    await noting.call('ChangePassword', {
      AccessToken,
      PreviousPassword: password,
      ProposedPassword: 'An0therPassword',
    })

    expect(sent).toEqual([
      'urgent: Your verification code for Marquee',
      'urgent: Your password reset code for Marquee',
      'urgent: Your sign-in code for Marquee',
      'later: Your password was changed on Marquee',
    ])
  })
})
