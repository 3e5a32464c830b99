import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from '../../testing/a-pool.ts'
import { aConfirmedUser, signIn, type Tokens } from '../../testing/people.ts'

type User = Awaited<ReturnType<typeof aConfirmedUser>>

anyDatabase(POOL_TABLES, (useDatabase) => {
  const ended: string[] = []
  let pool: RunningPool
  beforeAll(async () => {
    pool = await aPool(useDatabase(), { settings: { onSessionsEnded: async (_trx, sub) => void ended.push(sub) } })
  })
  beforeEach(() => {
    ended.length = 0
  })
  afterAll(async () => {
    await pool.close()
  })

  const call = async (operation: string, body: object) => {
    expect(await pool.call(operation, body)).toMatchObject({ status: 200 })
  }
  const waysToEndAll: [string, (user: User, tokens: Tokens) => Promise<void>][] = [
    ['a sign-out everywhere', async (_user, { AccessToken }) => await call('GlobalSignOut', { AccessToken })],
    [
      'a new password',
      async ({ password }, { AccessToken }) => {
        const passwords = { PreviousPassword: password, ProposedPassword: 'An0therPassword' }
        await call('ChangePassword', { AccessToken, ...passwords })
      },
    ],
    [
      'a reset password',
      async ({ email }) => {
        const ClientId = pool.identity.pool.userPoolClientId
        await call('ForgotPassword', { ClientId, Username: email })
        const ConfirmationCode = await pool.readCode(email, 2)
        const body = { ClientId, Username: email, ConfirmationCode, Password: 'An0therPassword' }
        await call('ConfirmForgotPassword', body)
      },
    ],
    ['a disabled account', async ({ username }) => await pool.identity.admin.disableUser(username)],
  ]

  test.each(waysToEndAll)('%s notifies the product that all sessions of the user have ended', async (_what, end) => {
    const zoe = await aConfirmedUser(pool)

    await end(zoe, await signIn(pool, zoe))

    expect(ended).toEqual([zoe.sub])
  })

  test('the end of one session does not notify the product', async () => {
    const zoe = await aConfirmedUser(pool)
    const { RefreshToken } = await signIn(pool, zoe)

    await call('RevokeToken', { ClientId: pool.identity.pool.userPoolClientId, Token: RefreshToken })

    expect(ended).toEqual([])
  })
})
