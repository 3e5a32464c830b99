import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { anyDatabase, eachDatabase } from '@marquee/platform/testing/each-database'

import { createIdentity } from './index.ts'
import type { IdentityTables } from './base/tables.ts'
import { aPool, POOL_TABLES, testClock } from './testing/a-pool.ts'
import { WIKI } from './testing/other-tools.ts'
import { aConfirmedUser, aPerson, signIn, signUp, trySignIn } from './testing/people.ts'

const DAY = 24 * 3600_000

eachDatabase(POOL_TABLES, (useDatabase) => {
  test('processes that start concurrently for the first time share one pool, client and key set', async () => {
    const masterKey = randomBytes(32)

    const pools = await Promise.all([1, 2, 3].map(async () => await aPool(useDatabase(), { masterKey })))

    const [first, ...others] = pools
    if (!first) throw new Error('There is no pool')
    const { userPoolId, userPoolClientId } = first.identity.pool
    expect(userPoolId).toMatch(/^us-east-1_[A-Za-z0-9]{9}$/u)
    expect(userPoolClientId).toMatch(/^[a-z0-9]{26}$/u)
    const path = `/identity/${userPoolId}/.well-known/jwks.json`
    const keys: unknown = (await first.app.inject(path)).json()
    expect(keys).toMatchObject({
      keys: [
        { alg: 'RS256', use: 'sig' },
        { alg: 'RS256', use: 'sig' },
      ],
    })
    expect(JSON.stringify(keys)).not.toContain('"d"')
    for (const other of others) {
      expect(other.identity.pool).toEqual(first.identity.pool)
      expect((await other.app.inject(path)).json()).toEqual(keys)
    }
    for (const pool of pools) await pool.close()
  })

  test('a start with the wrong master key fails with a clear message', async () => {
    await expect(aPool(useDatabase())).rejects.toThrow(/another master key .* than the one given/u)
  })
})

eachDatabase(POOL_TABLES, (useDatabase) => {
  test('an unconfirmed sign-up is removed after seven days, which frees its name', async () => {
    const clock = testClock()
    const masterKey = randomBytes(32)
    const before = await aPool(useDatabase(), { clock, masterKey })
    const zoe = await aConfirmedUser(before)
    const abandoned = aPerson()
    await signUp(before, abandoned)
    // Otherwise the pool that follows may send this mail, beside the one of the second sign-up.
    await before.readCode(abandoned.email)
    await before.close()
    clock.advance(7 * DAY + 1)

    const after = await aPool(useDatabase(), { clock, masterKey })

    expect(await trySignIn(after, abandoned.email, abandoned.password)).toMatchObject({
      body: { __type: 'NotAuthorizedException' },
    })
    await aConfirmedUser(after, { ...abandoned, password: 'An0therPassword' })
    expect(await trySignIn(after, zoe.email, zoe.password)).toMatchObject({ status: 200 })
    await after.close()
  })

  // Evidence: asvs-14.2.4
  test('a sweep removes expired rows and keeps the others', async () => {
    const clock = testClock('2027-01-01T00:00:00.000Z')
    const masterKey = randomBytes(32)
    const database = useDatabase().withTables<IdentityTables>()
    await database.transaction(async (trx) => {
      await trx.deleteFrom('identity_signing_key').execute()
      await trx.deleteFrom('identity_lasting_key').execute()
      await trx.deleteFrom('identity_user').execute()
      await trx.deleteFrom('identity_pool').execute()
    })
    const before = await aPool(useDatabase(), { clock, masterKey })
    const zoe = await aConfirmedUser(before)
    await signIn(before, zoe)
    await trySignIn(before, 'unknown', 'Wr0ngPassword')
    await before.call('ForgotPassword', { Username: 'unknown' })
    await before.close()
    clock.advance(29 * DAY)
    const { RefreshToken } = await aPool(useDatabase(), { clock, masterKey }).then(async (pool) => {
      const tokens = await signIn(pool, zoe)
      await pool.close()
      return tokens
    })
    clock.advance(3 * DAY)

    const after = await aPool(useDatabase(), { clock, masterKey })

    const count = async (table: keyof IdentityTables) =>
      (await database.read.selectFrom(table).selectAll().execute()).length
    expect(await count('identity_session')).toBe(1)
    expect(await count('identity_refresh_token')).toBe(1)
    expect(await count('identity_used_nonce')).toBe(0)
    expect(await count('identity_code')).toBe(0)
    expect(await count('identity_quota')).toBe(0)
    expect(await count('identity_lockout')).toBe(0)
    expect(await after.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 200 })
    await after.close()
  })
})

anyDatabase(POOL_TABLES, (useDatabase) => {
  // Evidence: asvs-9.2.4
  test('a tool with the client id of Marquee prevents the start, since the product would accept its tokens', async () => {
    const pool = await aPool(useDatabase())
    const oauthClients = [{ ...WIKI, id: pool.identity.pool.userPoolClientId }]

    await expect(createIdentity({ ...pool.ports, oauthClients })).rejects.toThrow(
      /OAUTH_CLIENTS: [a-z0-9]{26} is the client id of Marquee itself/u,
    )
    await pool.close()
  })
})
