import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { aPool, POOL_TABLES, type RunningPool } from '../../testing/a-pool.ts'
import { aBrowser, aProvider, comeBack, type RunningProvider } from '../../testing/external.ts'
import { aPerson } from '../../testing/people.ts'

const INVITATION = '/join/q1Zt0kXw3sQ4tV8nB2kL6g'

anyDatabase(POOL_TABLES, (useDatabase) => {
  let provider: RunningProvider
  let invited: RunningPool
  let closed: RunningPool
  beforeAll(async () => {
    provider = await aProvider()
    const externalProvider = provider.settings
    const isInvitation = async (path: string) => path === INVITATION
    const reserve = async (_trx: unknown, { path, email }: { path: string; email: string }) =>
      path === INVITATION && !email.startsWith('other')
    invited = await aPool(useDatabase(), {
      settings: { externalProvider, verification: 'link', registration: { kind: 'invited', isInvitation, reserve } },
    })
    closed = await aPool(useDatabase(), {
      beside: invited,
      settings: { externalProvider, registration: { kind: 'closed' } },
    })
  })
  afterAll(async () => {
    await closed.close()
    await invited.close()
    await provider.stop()
  })

  const signUp = async (pool: RunningPool, person = aPerson(), ClientMetadata?: Record<string, string>) =>
    await pool.call('SignUp', {
      Username: person.username,
      Password: person.password,
      UserAttributes: [{ Name: 'email', Value: person.email }],
      ...(ClientMetadata && { ClientMetadata }),
    })
  const signUpExternally = async (pool: RunningPool, redirect?: string) => {
    const browser = aBrowser(pool)
    await comeBack(browser, provider, await provider.person(), redirect)
    const { status, body } = await browser.call('POST', 'sign-up', { body: { name: aPerson().username } })
    return { status, error: body['error'] }
  }
  const refusal = (message: string) => ({ status: 400, body: { __type: 'NotAuthorizedException', message } })

  describe('closed registration', () => {
    test('SignUp is refused while registration is closed, even with an invitation', async () => {
      const refused = refusal('SignUp is not permitted for this user pool')

      expect(await signUp(closed)).toEqual(refused)
      expect(await signUp(closed, aPerson(), { redirect: INVITATION })).toEqual(refused)
    })

    test('a new user of the provider gets no account while registration is closed', async () => {
      expect(await signUpExternally(closed, INVITATION)).toEqual({ status: 400, error: 'sign_up_closed' })
    })
  })

  describe('registration by invitation only', () => {
    test.each([
      undefined,
      {},
      { redirect: '/watchlists' },
      { redirect: '/join/other' },
      { redirect: `${INVITATION}?x=1` },
    ])('SignUp with the client metadata %j is refused', async (metadata) => {
      expect(await signUp(invited, aPerson(), metadata)).toEqual(
        refusal('SignUp is permitted only with an invitation that is valid'),
      )
    })

    test('SignUp with an invitation for another address is refused and leaves no account', async () => {
      const [person, other] = [aPerson(), `other.${aPerson().email}`]

      expect(await signUp(invited, { ...person, email: other }, { redirect: INVITATION })).toEqual(
        refusal('SignUp is permitted only with an invitation that is valid'),
      )
      expect((await signUp(invited, person, { redirect: INVITATION })).status).toBe(200)
      expect(await invited.readMails(other)).toEqual([])
    })

    test('SignUp with an invitation succeeds, and the mailed link leads back to the invitation', async () => {
      const person = aPerson()

      expect((await signUp(invited, person, { redirect: INVITATION })).status).toBe(200)
      const link = await vi.waitFor(async () => {
        const [mail = ''] = await invited.readMails(person.email)
        expect(mail).not.toBe('')
        return /^https:\/\/marquee\.example\/auth\/confirm#\S+&redirect=(\S+)$/mu.exec(mail)?.[1]
      }, WITHIN)
      expect(link).toBe('%2Fjoin%2Fq1Zt0kXw3sQ4tV8nB2kL6g')
    })

    test('a new user of the provider gets an account only with an invitation', async () => {
      expect(await signUpExternally(invited, '/watchlists')).toEqual({ status: 400, error: 'not_invited' })
      expect(await signUpExternally(invited, INVITATION)).toEqual({ status: 200, error: undefined })
    })
  })
})
