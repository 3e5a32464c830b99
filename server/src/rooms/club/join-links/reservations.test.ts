import { randomBytes } from 'node:crypto'

import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { identityMigrations } from '@marquee/identity'
import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import type { MailTables } from '@marquee/platform/mail/store'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { openAccounts } from '../../../open-accounts.ts'
import type { Accounts } from '../../../ports.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { readServerSettings } from '../../../settings/settings.ts'
import type { Tables } from '../../../tables.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { anApp, startApp, type TestApp } from '../../../testing/start-app.ts'
import { testMail } from '../../../testing/test-mail.ts'
import { sweepReservations } from './service.ts'

/** Far sooner than the minute after which a queue looks for work by itself. */
const SOON = { timeout: 15_000, interval: 20 }
const HOUR_MS = 60 * 60_000
const PASSWORD = 'Correct-Horse-7'
const NOT_INVITED = 'SignUp is permitted only with an invitation that is valid'
const CODE = /^(\d{6})$/mu
const LINK = /\/join\/([\w-]+)#email=/u

type Person = { username: string; email: string }

eachStatement({ product: productMigrations, mail: mailMigrations, identity: identityMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { clock })
  const closers: (() => Promise<void>)[] = []
  let pool: TestApp
  let accounts: Accounts
  let ana: Caller
  let watchlist: Watchlist

  beforeAll(async () => {
    const logger = pino({ level: 'silent' })
    const mail = testMail(theDatabase(), logger)
    const ports = { clock, random: systemRandom, logger, database: theDatabase(), mail, bus, limiter: noRateLimiter }
    const settings = readServerSettings({ REGISTRATION: 'invited', PUBLIC_URL: 'http://marquee.test' })
    const previousMasterKeys: Buffer[] = []
    const opened = { ...ports, masterKey: randomBytes(32), previousMasterKeys, onSignIn: () => undefined }
    accounts = await openAccounts(settings, { ...opened, onMailBudgetNearlySpent: () => undefined }, closers)
    const started = await startApp(theDatabase(), { clock, accounts, mail })
    pool = { ...started, mails: mail.delivered }
    closers.push(started.stop, mail.stop)
  })
  afterAll(async () => {
    for (const close of closers) await close()
  })
  beforeEach(async () => {
    // Then no mail of an invitation is due by the clock of the mail queue.
    clock.moveAhead(HOUR_MS)
    ana = aUser('ana')
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, isPrivate: true }))
  })

  const inThis = () => ({ watchlistId: watchlist.id })
  const aLink = async (maxUses = 1) =>
    await callOk(theApp(), ENDPOINTS.createJoinLink, ana, { params: inThis(), body: { days: 7, maxUses } })
  const aMailedLink = async (email: string) => {
    await callOk(theApp(), ENDPOINTS.inviteByMail, ana, { params: inThis(), body: { email } })
    const waiting = await theDatabase()
      .withTables<MailTables>()
      .read.selectFrom('mail_outbox')
      .select('text_body')
      .where('recipient', '=', email)
      .execute()
    return LINK.exec(waiting.map((mail) => mail.text_body).join('\n'))?.[1] ?? ''
  }
  const aPerson = (name = 'gina'): Person => {
    const username = `${name} ${systemRandom.uuid().slice(0, 8)}`
    return { username, email: `${username.replace(' ', '.')}@example.org` }
  }
  const operation = async (name: string, body: object) => {
    const reply = await pool.app.inject({
      method: 'POST',
      url: '/identity/',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${name}` },
      payload: JSON.stringify({ ClientId: accounts.pool.userPoolClientId, ...body }),
    })
    return reply.json<Record<string, unknown>>()
  }
  /** The id of the new account, or why there is none. */
  const signUp = async ({ username, email }: Person, token: string) => {
    const { UserSub, message } = await operation('SignUp', {
      Username: username,
      Password: PASSWORD,
      UserAttributes: [{ Name: 'email', Value: email }],
      ClientMetadata: { redirect: `/join/${token}` },
    })
    return UserSub ?? message
  }
  const codeFor = async ({ email }: Person, count = 1) =>
    await vi.waitFor(() => {
      const codes = pool.mails().flatMap(({ to, text }) => (to === email ? (CODE.exec(text)?.[1] ?? []) : []))
      expect(codes).toHaveLength(count)
      return codes.at(-1)
    }, WITHIN)
  const confirm = async (person: Person, count = 1) => {
    const ConfirmationCode = await codeFor(person, count)
    return (await operation('ConfirmSignUp', { Username: person.username, ConfirmationCode }))['message']
  }
  const members = async () =>
    (await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params: inThis() })).members?.map(({ username }) => username)
  const uses = async () => {
    const { links } = await callOk(theApp(), ENDPOINTS.listJoinLinks, ana, { params: inThis() })
    return links.map((link) => link.uses)
  }
  const waitADay = async () => {
    clock.moveAhead(25 * HOUR_MS)
    await sweepReservations({ database: theDatabase(), clock })
  }

  test('a link for one user makes one account, even if ten sign up at once', { tags: ['race'] }, async () => {
    const { token } = await aLink()

    const outcomes = await Promise.all(Array.from({ length: 10 }, async () => await signUp(aPerson(), token)))

    expect(outcomes.filter((outcome) => outcome === NOT_INVITED)).toHaveLength(9)
    expect(await signUp(aPerson(), token)).toBe(NOT_INVITED)
  })

  test('a user who confirms a sign-up becomes a member, and live events report it', async () => {
    const [gina, { token }] = [aPerson(), await aLink(3)]

    await signUp(gina, token)
    const before = await members()
    expect(await confirm(gina)).toBeUndefined()

    expect([before, await members()]).toEqual([['ana'], ['ana', gina.username]])
    expect(await uses()).toEqual([1])
    expect(bus.kindsFor(watchlist.id)).toEqual(['members-changed', 'invitations-changed'])
  })

  test('members are notified of a new member within seconds of the confirmation', async () => {
    const [gina, { token }] = [aPerson(), await aLink()]
    await signUp(gina, token)

    await confirm(gina)

    const notified = async () => (await callOk(theApp(), ENDPOINTS.listNotifications, ana)).notifications
    await vi.waitFor(async () => expect(await notified()).toMatchObject([{ kind: 'joined', by: gina.username }]), SOON)
  })

  test('the rows of a watchlist are removed within seconds after its last member is deleted', async () => {
    const [gina, { token }] = [aPerson(), await aLink()]
    const userId = String(await signUp(gina, token))
    await confirm(gina)
    const own = await aWatchlist(theApp(), { owner: { userId, username: gina.username } })
    const { AuthenticationResult } = await operation('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: gina.username, PASSWORD },
    })
    const { AccessToken } = AuthenticationResult as { AccessToken: string }

    await operation('DeleteUser', { AccessToken })

    const rows = theDatabase().withTables<Tables>().read.selectFrom('watchlist').select('id')
    await vi.waitFor(async () => expect(await rows.where('id', '=', own.watchlist.id).execute()).toEqual([]), SOON)
  })

  test('a new member can open the link again, although it is used up', async () => {
    const [gina, { token }] = [aPerson(), await aLink()]
    const userId = String(await signUp(gina, token))
    await confirm(gina)

    const caller = { userId, username: gina.username }
    const { status } = await call(theApp(), ENDPOINTS.joinByLink, caller, { body: { token } })

    expect(status).toBe(200)
    expect(await members()).toEqual(['ana', gina.username])
  })

  test('a refused sign-up does not use up the link', async () => {
    const [gina, { token }] = [aPerson(), await aLink(2)]
    await signUp(gina, token)

    expect(await signUp({ ...gina, email: aPerson().email }, token)).toBe('User already exists')
    expect(await uses()).toEqual([1])
  })

  describe('a sign-up that is not confirmed within a day', () => {
    test('the link can be used again by one other account', async () => {
      const [gina, hans, { token }] = [aPerson(), aPerson('hans'), await aLink()]
      await signUp(gina, token)
      expect(await signUp(hans, token)).toBe(NOT_INVITED)
      await waitADay()

      expect(await signUp(hans, token)).not.toBe(NOT_INVITED)
      await operation('ResendConfirmationCode', { Username: gina.username })

      expect(await confirm(gina, 2)).toBe(NOT_INVITED)
      expect(await confirm(hans)).toBeUndefined()
      expect(await members()).toEqual(['ana', hans.username])
    })

    test('the account can still be confirmed if no other account has used the link', async () => {
      const [gina, { token }] = [aPerson(), await aLink()]
      await signUp(gina, token)
      await waitADay()
      await operation('ResendConfirmationCode', { Username: gina.username })

      expect(await confirm(gina, 2)).toBeUndefined()
      expect(await members()).toEqual(['ana', gina.username])
      expect(await signUp(aPerson(), token)).toBe(NOT_INVITED)
    })

    test('the use of the link is returned once, even if two processes sweep at once', { tags: ['race'] }, async () => {
      const [{ token }, others] = [await aLink(2), [aPerson(), aPerson()]]
      for (const person of others) await signUp(person, token)
      clock.moveAhead(25 * HOUR_MS)

      await Promise.all([
        sweepReservations({ database: theDatabase(), clock }),
        sweepReservations({ database: theDatabase(), clock }),
      ])

      expect(await uses()).toEqual([0])
    })
  })

  test('deleting an unconfirmed account returns its use of the link', async () => {
    const { token } = await aLink(2)
    const userId = String(await signUp(aPerson(), token))
    const before = await uses()

    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, userId)
    })

    expect([before, await uses()]).toEqual([[1], [0]])
  })

  test('an account is confirmed but not a member if the link was revoked in the meantime', async () => {
    const [gina, { id, token }] = [aPerson(), await aLink(2)]
    await signUp(gina, token)
    await callOk(theApp(), ENDPOINTS.revokeJoinLink, ana, { params: { ...inThis(), linkId: id } })

    expect(await confirm(gina)).toBeUndefined()
    expect(await members()).toEqual(['ana'])
  })

  test('a mailed link allows a sign-up only with its address', async () => {
    const [gina, eve] = [aPerson(), aPerson('eve')]
    const token = await aMailedLink(gina.email)

    expect(await signUp(eve, token)).toBe(NOT_INVITED)
    expect(await signUp({ ...gina, email: gina.email.toUpperCase() }, token)).not.toBe(NOT_INVITED)
    expect(await signUp(gina, token)).toBe(NOT_INVITED)
  })

  test('a mailed link stays limited to its address after an unconfirmed sign-up, and loses it with a confirmed one', async () => {
    const stored = async () =>
      await theDatabase()
        .withTables<Tables>()
        .read.selectFrom('join_link')
        .select('address')
        .where('watchlist_id', '=', watchlist.id)
        .execute()
    const [gina, eve] = [aPerson(), aPerson('eve')]
    const token = await aMailedLink(gina.email)
    await signUp(gina, token)
    await waitADay()

    expect(await signUp(eve, token)).toBe(NOT_INVITED)
    expect(await stored()).toEqual([{ address: gina.email }])
    await operation('ResendConfirmationCode', { Username: gina.username })
    expect(await confirm(gina, 2)).toBeUndefined()
    expect(await members()).toEqual(['ana', gina.username])
    expect(await stored()).toEqual([{ address: null }])
  })
})
