import { afterAll, beforeAll, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { N } from '../base/srp/srp.ts'
import { aPool, POOL_TABLES, type RunningPool } from '../testing/a-pool.ts'
import { aConfirmedUser, aPerson, beginSignIn, signUp, trySignIn } from '../testing/people.ts'

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  beforeAll(async () => {
    pool = await aPool(useDatabase())
  })
  afterAll(async () => {
    await pool.close()
  })

  const start = async (AuthParameters: object) =>
    await pool.call('InitiateAuth', { AuthFlow: 'USER_SRP_AUTH', AuthParameters })

  test.each([
    ['0', '0'],
    ['many zeros', '0'.repeat(768)],
    ['1', '1'],
    ['N − 1', (N - 1n).toString(16)],
    ['N', N.toString(16)],
    ['N + 1', (N + 1n).toString(16)],
    ['2N', (2n * N).toString(16)],
    ['2N in capitals', (2n * N).toString(16).toUpperCase()],
    ['a thousand digits', 'a'.repeat(1000)],
    ['sixty thousand digits', 'a'.repeat(60_000)],
    ['a negative number', '-2'],
    ['no number', 'hello'],
    ['nothing', ''],
    ['a line break', '2\n'],
  ])('SRP_A of %s is rejected for known and unknown names', async (_name, SRP_A) => {
    const zoe = await aConfirmedUser(pool)
    for (const USERNAME of [zoe.email, 'unknown']) {
      expect(await start({ USERNAME, SRP_A })).toMatchObject({
        status: 400,
        body: { __type: 'InvalidParameterException' },
      })
    }
  })

  // Evidence: asvs-15.3.6
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'the key %s in a map has no effect',
    async (name) => {
      const zoe = await aConfirmedUser(pool)
      const poisoned = JSON.parse(`{"${name}": {"USERNAME": "x", "polluted": "yes"}}`) as object

      expect((await start(poisoned)).status).toBe(400)
      const answer = await beginSignIn(pool, zoe.email, zoe.password)
      const ChallengeResponses = JSON.parse(`{"${name}": "x"}`) as object
      const asked = { ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses }
      expect(await pool.call('RespondToAuthChallenge', asked)).toMatchObject({
        body: { message: 'Missing required parameter TIMESTAMP' },
      })
      expect(answer['USERNAME']).toBe(zoe.sub)
      const UserAttributes = [{ Name: name, Value: 'x' }]
      const signingUp = { Username: aPerson().username, Password: 'Passw0rdX', UserAttributes }
      expect((await pool.call('SignUp', signingUp)).status).toBe(400)
      expect((await pool.call(name, {})).body['__type']).toBe('UnknownOperationException')
      expect({}).not.toHaveProperty('polluted')
      expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })
    },
  )

  // Evidence: asvs-1.3.11
  test.each(['\r\nBcc: eve@example.com', '\nBcc: eve@example.com', '\u2028Bcc: eve@example.com', '\0'])(
    'a sign-up with %j in its address or name is rejected and sends no mail',
    async (injected) => {
      const victim = aPerson()
      const address = { ...victim, email: `${victim.email}${injected}` }
      const name = { ...aPerson(), username: `Zoe${injected}x` }

      await expect(signUp(pool, address)).rejects.toThrow('InvalidParameterException')
      await expect(signUp(pool, name)).rejects.toThrow('InvalidParameterException')
      expect(await pool.readMails(victim.email)).toEqual([])
      expect(await pool.readMails('eve@example.com')).toEqual([])
    },
  )

  test('a product name with a line break adds no header to a mail', async () => {
    const productName = 'Marquee\r\nBcc: eve@example.com'
    const other = await aPool(useDatabase(), { beside: pool, settings: { productName } })
    const zoe = aPerson()
    await signUp(other, zoe)
    await other.readCode(zoe.email)

    const [mail = ''] = await other.readMails(zoe.email)

    expect(mail.split('\n\n')[0]).not.toMatch(/^Bcc:/imu)
    await other.close()
  })

  // Evidence: asvs-1.3.11
  test('an address that mail software may read differently is rejected', async () => {
    for (const email of ['a@example.com,b@example.com', '"a\\"b"@example.com', 'a@b@example.com', '<a@example.com>']) {
      await expect(signUp(pool, aPerson({ email }))).rejects.toThrow('InvalidParameterException')
    }
  })
})
