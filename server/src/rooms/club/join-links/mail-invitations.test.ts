import { createHash } from 'node:crypto'

import { beforeEach, describe, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { mailForServer } from '@marquee/platform/mail/queue'
import type { MailTables } from '@marquee/platform/mail/store'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist, emailOf } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { anApp, startApp } from '../../../testing/start-app.ts'
import type { Tables } from '../../../tables.ts'
import { sweepInvitationMails } from '../invitations/service.ts'
import type { JoinLinkTables } from './store.ts'
import { register, testAccounts } from '../../../testing/test-accounts.ts'

type Invited = { watchlist: Watchlist; ana: Caller; email: string }
const DAY_MS = 24 * 60 * 60_000
const LINK = /\/join\/([\w-]+)/u

eachStatement<MailTables>({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  // The mails stay in the outbox until a test marks them as sent.
  const mail = mailForServer({ clock, random: systemRandom })
  const theApp = anApp(() => theDatabase().withTables(), { clock, bus, mail })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, isPrivate: true }))
  })

  const inThis = (of = watchlist) => ({ watchlistId: of.id })
  const ask = async (email: string, { by = ana, of = watchlist } = {}) =>
    await call(theApp(), ENDPOINTS.inviteByMail, by, { params: inThis(of), body: { email } })
  const invite = async (email: string, of = watchlist) =>
    await callOk(theApp(), ENDPOINTS.inviteByMail, ana, { params: inThis(of), body: { email } })
  const mailsTo = async (email: string) =>
    await theDatabase()
      .read.selectFrom('mail_outbox')
      .select(['subject', 'text_body', 'html_body'])
      .where('recipient', '=', email)
      .orderBy('due_at')
      .execute()
  const sendMails = async (email: string) => {
    await theDatabase().transaction(async (trx) => {
      await trx.deleteFrom('mail_outbox').where('recipient', '=', email).execute()
    })
  }
  const tokenFor = async (email: string) => LINK.exec((await mailsTo(email)).at(-1)?.text_body ?? '')?.[1] ?? ''
  const pending = async (by = ana) => await callOk(theApp(), ENDPOINTS.listPendingInvitations, by, { params: inThis() })
  const received = async (by: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listReceivedInvitations, by)).map(({ watchlistId }) => watchlistId)
  const isReceived = async (by: Caller) =>
    await vi.waitFor(async () => expect(await received(by)).toEqual([watchlist.id]), WITHIN)
  const join = async (token: string, by: Caller) => await call(theApp(), ENDPOINTS.joinByLink, by, { body: { token } })
  const preview = async (token: string) =>
    (await callOk(theApp(), ENDPOINTS.previewJoinLink, ana, { body: { token } })).state
  const withdraw = async (linkId = '', by = ana) =>
    await call(theApp(), ENDPOINTS.withdrawMailInvitation, by, { params: { ...inThis(), linkId } })
  const answer = async (endpoint: 'acceptReceivedInvitation' | 'declineInvitation', by: Caller) =>
    await call(theApp(), ENDPOINTS[endpoint], by, { params: inThis() })
  const aReader = (email: string) => {
    const user = aUser('reader')
    register({ ...user, email })
    return user
  }
  const notified = async (by: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listNotifications, by)).notifications.map(({ kind }) => kind)

  test('a visitor without an account gets a mail with a link that lets one user in', async () => {
    const reply = await invite(' Gina@Example.org ')

    expect(reply).toMatchObject({ username: 'gina@example.org', invitedBy: 'ana' })
    const [sent] = await mailsTo('Gina@Example.org')
    expect(sent?.subject).toBe('ana invites you to "Friday films" on Marquee')
    const token = await tokenFor('Gina@Example.org')
    expect(sent?.html_body).toContain(`href="http://marquee.test/join/${token}#email=Gina%40Example.org"`)
    expect(await preview(token)).toBe('open')
    expect((await join(token, aReader('gina@example.org'))).status).toBe(200)
    expect((await join(token, aUser('hans'))).status).toBe(404)
    expect(await pending()).toEqual([])
    expect(await preview(token)).toBe('used-up')
  })

  test('only the inviter sees the whole address', async () => {
    const { watchlist: shared } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    await invite('gina@example.org', shared)
    const seenBy = async (by: Caller) =>
      (await callOk(theApp(), ENDPOINTS.listPendingInvitations, by, { params: inThis(shared) })).map(
        ({ username }) => username,
      )

    expect([await seenBy(ana), await seenBy(ben)]).toEqual([['gina@example.org'], ['g…@example.org']])
  })

  test('clearing an expired invitation by name keeps a later invitation by mail', async () => {
    const byName = async (username: string) =>
      await callOk(theApp(), ENDPOINTS.inviteUser, ana, { params: inThis(), body: { username } })
    await byName(ben.username)
    clock.moveAhead(8 * DAY_MS)
    await invite(emailOf(ben))
    await isReceived(ben)

    await byName(aUser('cleo').username)

    expect(await received(ben)).toEqual([watchlist.id])
    expect((await answer('acceptReceivedInvitation', ben)).status).toBe(200)
  })

  test('a mailed link lets in only the user with its address', async () => {
    const { linkId } = await invite(emailOf(ben))
    const token = await tokenFor(emailOf(ben))

    const refused = await join(token, aUser('eve'))

    expect([refused.status, refused.body.message]).toEqual([403, 'This invitation is for another e-mail address'])
    expect((await pending()).map((one) => one.linkId)).toEqual([linkId])
    expect((await join(token, ben)).status).toBe(200)
  })

  test('a link to an address that cannot be looked up lets any user in, but a link to a known user does not', async () => {
    const accounts = { ...testAccounts, account: undefined }
    const elsewhere = await startApp(theDatabase().withTables(), { clock, mail, accounts })
    const joinThere = async (token: string, by: Caller) =>
      (await call(elsewhere, ENDPOINTS.joinByLink, by, { body: { token } })).status
    await invite(emailOf(ben))
    await invite('hans@example.org')

    expect(await joinThere(await tokenFor(emailOf(ben)), aUser('eve'))).toBe(403)
    expect(await joinThere(await tokenFor('hans@example.org'), aUser('hans'))).toBe(200)
    await elsewhere.stop()
  })

  test('an invited user with an account gets the usual invitation and a notification', async () => {
    await invite(emailOf(ben))
    await isReceived(ben)

    expect(await notified(ben)).toEqual(['invited'])
    const token = await tokenFor(emailOf(ben))
    const { members } = await callOk(theApp(), ENDPOINTS.acceptReceivedInvitation, ben, { params: inThis() })

    expect(members?.map(({ username }) => username)).toEqual(['ana', 'ben'])
    // The link of the mail is used up, too.
    expect((await join(token, aUser('eve'))).status).toBe(404)
    expect(await pending()).toEqual([])
  })

  describe('the inviter cannot tell whether an address has an account', () => {
    /** What the inviter does, and sees of it. Times and ids of the two cases differ anyway. */
    const ATTEMPTS: Record<string, (given: Invited) => Promise<unknown>> = {
      'by the reply': async ({ email }) => {
        const { status, body } = await ask(email)
        return [status, Object.keys(body), body.username === email]
      },
      'by the list': async ({ email }) => {
        await ask(email)
        return (await pending()).map(({ username, invitedBy }) => [username === email, invitedBy])
      },
      'by the list after the invitee declined': async ({ email }) => {
        await ask(email)
        await letInviteeDecline(email)
        return (await pending()).length
      },
      'by live events': async ({ email }) => {
        await ask(email)
        await letInviteeDecline(email)
        return bus.kindsFor(watchlist.id)
      },
      'by own notifications': async ({ email }) => {
        await ask(email)
        await letInviteeDecline(email)
        return await notified(ana)
      },
      'by inviting again': async ({ email }) => {
        const statuses = [(await ask(email)).status, (await ask(email)).status]
        return [statuses, (await pending()).length, (await mailsTo(email)).length]
      },
      'by withdrawing': async ({ email }) => {
        const { body } = await ask(email)
        return [(await withdraw(body.linkId)).status, (await withdraw(body.linkId)).status, await pending()]
      },
      'by the daily limit of the address': async ({ email }) => {
        const lists = await Promise.all(
          Array.from({ length: 6 }, async () => await aWatchlist(theApp(), { owner: ana })),
        )
        const answers = []
        for (const { watchlist: of } of lists) answers.push((await ask(email, { of })).status)
        return answers
      },
    }

    const letInviteeDecline = async (email: string) => {
      if (email !== emailOf(ben)) return
      await isReceived(ben)
      expect((await answer('declineInvitation', ben)).status).toBe(204)
    }

    test.each(Object.entries(ATTEMPTS))('the inviter cannot recognize an account %s', async (_name, attempt) => {
      const known = await attempt({ watchlist, ana, email: emailOf(ben) })
      ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, isPrivate: true }))
      const unknown = await attempt({
        watchlist,
        ana,
        email: `${ben.userId.slice(0, 1)}${systemRandom.uuid()}@example.org`,
      })

      expect(known).toEqual(unknown)
    })
  })

  test('the reply does not wait for the account lookup, so its timing reveals nothing', async () => {
    const { promise: lookUp, resolve } = Promise.withResolvers<undefined>()
    const findUserByEmail = async () => await lookUp
    const slow = await startApp(theDatabase().withTables(), {
      clock,
      mail,
      accounts: { ...testAccounts, findUserByEmail },
    })

    const { status } = await call(slow, ENDPOINTS.inviteByMail, ana, {
      params: inThis(),
      body: { email: emailOf(ben) },
    })

    expect(status).toBe(201)
    resolve(undefined)
    await slow.stop()
  })

  test('the address of a member can be invited like any other, and the invitation stays pending', async () => {
    const { status } = await ask(emailOf(ana))

    expect([status, (await pending()).length]).toEqual([201, 1])
    expect((await join(await tokenFor(emailOf(ana)), ana)).status).toBe(200)
    expect((await pending()).length).toBe(1)
  })

  test.each([
    ['withdrawn', async (linkId: string) => void (await withdraw(linkId)), 'revoked'],
    ['expired', async () => clock.moveAhead(7 * DAY_MS), 'expired'],
    ['replaced', async () => void (await invite(emailOf(ben))), 'revoked'],
  ])('the link of an invitation that is %s lets no user in', async (_what, end, state) => {
    const { linkId = '' } = await invite(emailOf(ben))
    const token = await tokenFor(emailOf(ben))
    await isReceived(ben)

    await end(linkId)

    expect(await preview(token)).toBe(state)
    expect((await join(token, ben)).status).toBe(404)
  })

  test('a withdrawn invitation is no longer listed, and its waiting mail is not sent', async () => {
    const { linkId } = await invite(emailOf(ben))
    await isReceived(ben)

    expect((await withdraw(linkId)).status).toBe(204)

    expect([await received(ben), await pending(), await mailsTo(emailOf(ben))]).toEqual([[], [], []])
    expect((await answer('acceptReceivedInvitation', ben)).status).toBe(404)
  })

  test.each([
    ['withdrawn', async (linkId: string) => (await withdraw(linkId)).status, 204],
    ['used by its link', async () => (await join(await tokenFor(emailOf(ben)), ben)).status, 200],
    ['accepted in the app', async () => (await answer('acceptReceivedInvitation', ben)).status, 200],
  ])('the address is stored only until the invitation is %s', async (_what, end, status) => {
    const address = async () =>
      await theDatabase()
        .withTables<JoinLinkTables>()
        .read.selectFrom('join_link')
        .select('address')
        .where('watchlist_id', '=', watchlist.id)
        .execute()
    const { linkId = '' } = await invite(emailOf(ben))
    await isReceived(ben)
    const before = await address()

    expect(await end(linkId)).toBe(status)

    expect([before, await address()]).toEqual([[{ address: emailOf(ben) }], [{ address: null }]])
  })

  test('invited addresses are stored for one day, as a hash that needs the master key', async () => {
    const email = `${systemRandom.uuid()}@example.org`
    const counted = async () => {
      const rows = await theDatabase().withTables<Tables>().read.selectFrom('invitation_mail').selectAll().execute()
      return rows.filter(({ recent }) => recent.includes(watchlist.id)).map(({ user_id: name }) => name)
    }
    const sweep = async () => {
      await sweepInvitationMails({ database: theDatabase().withTables(), clock })
    }
    const { linkId } = await invite(email)
    await callOk(theApp(), ENDPOINTS.inviteUser, ana, { params: inThis(), body: { username: ben.username } })
    await withdraw(linkId)
    clock.moveAhead(DAY_MS / 2)
    await sweep()
    const names = await counted()
    clock.moveAhead(DAY_MS / 2)
    await sweep()

    expect(names).toHaveLength(2)
    expect(names).not.toContain(`address:${createHash('sha256').update(email).digest('base64url')}`)
    expect(await counted()).toEqual([])
  })

  test('a sweep keeps the counts of mails that are sent meanwhile', async () => {
    const email = `${systemRandom.uuid()}@example.org`
    const others = await Promise.all(Array.from({ length: 5 }, async () => await aWatchlist(theApp(), { owner: ana })))
    await invite(email)
    clock.moveAhead(DAY_MS)

    await Promise.all([
      sweepInvitationMails({ database: theDatabase().withTables(), clock }),
      ...others.map(async (other) => await invite(email, other.watchlist)),
    ])

    expect((await ask(email)).status).toBe(400)
  })

  test('an invitation by mail cannot be revoked as a join link', async () => {
    const { linkId = '' } = await invite(emailOf(ben))

    const revoked = await call(theApp(), ENDPOINTS.revokeJoinLink, ana, { params: { ...inThis(), linkId } })

    expect([revoked.status, (await pending()).length]).toEqual([404, 1])
  })

  test('an invitation ends when its link is used, or its inviter leaves', async () => {
    const { watchlist: other } = await aWatchlist(theApp(), { owner: aUser('olga'), members: [ana] })
    await invite(emailOf(ben))
    await isReceived(ben)
    await join(await tokenFor(emailOf(ben)), ben)
    expect(await received(ben)).toEqual([])

    await invite(emailOf(ben), other)
    await vi.waitFor(async () => expect(await received(ben)).toEqual([other.id]), WITHIN)
    await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { ...inThis(other), username: 'ana' } })
    expect(await received(ben)).toEqual([])
  })

  test('only the owner can invite by mail if only the owner may create links', async () => {
    const { watchlist: shared } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const creators = async (who: string) =>
      await callOk(theApp(), ENDPOINTS.setLinkCreators, ana, { params: inThis(shared), body: { creators: who } })
    const statuses = [(await ask('gina@example.org', { by: ben, of: shared })).status]
    await creators('owner')

    statuses.push((await ask('gina@example.org', { by: ben, of: shared })).status)
    statuses.push((await ask('gina@example.org', { of: shared })).status)

    expect(statuses).toEqual([201, 403, 201])
  })

  test('an address gets five mails a day, and the sixth invitation is refused and saves nothing', async () => {
    const email = `${systemRandom.uuid()}@example.org`
    for (let n = 0; n < 5; n += 1) await invite(email, (await aWatchlist(theApp(), { owner: ana })).watchlist)

    const { status, body } = await ask(email)

    expect([status, body.message]).toEqual([
      400,
      'This address has received enough invitations for today. Please try again tomorrow.',
    ])
    expect(await pending()).toEqual([])
    await sendMails(email)
    clock.moveAhead(DAY_MS)
    expect((await ask(email)).status).toBe(201)
  })

  test('addresses that differ only after a plus sign count as one', async () => {
    const name = systemRandom.uuid()
    for (let n = 0; n < 5; n += 1) {
      await invite(`${name}+${n}@example.org`, (await aWatchlist(theApp(), { owner: ana })).watchlist)
    }

    const statuses = [
      (await ask(`${name}+films@example.org`)).status,
      (await ask(`${name.toUpperCase()}@example.org`)).status,
      (await ask(`${name}.films@example.org`)).status,
    ]

    expect(statuses).toEqual([400, 400, 201])
  })

  test('an invitation to another plus address of the same mailbox replaces the first', async () => {
    const name = systemRandom.uuid()
    await invite(`${name}+a@example.org`)

    await invite(`${name}+b@example.org`)

    expect(await pending()).toHaveLength(1)
    expect(await mailsTo(`${name}+a@example.org`)).toEqual([])
    expect(await preview(await tokenFor(`${name}+b@example.org`))).toBe('open')
  })

  test.each([
    '<gina@example.org>',
    'gina@[127.0.0.1]',
    'gina@127.0.0.1',
    'Gina <gina@example.org>',
    '"gina"@example.org',
  ])('the address %s is refused', async (email) => {
    expect((await ask(email)).status).toBe(400)
    expect(await mailsTo(email)).toEqual([])
  })

  test('a watchlist has at most 50 pending invitations by mail', async () => {
    for (let n = 0; n < 50; n += 1) await invite(`guest-${n}-${watchlist.id}@example.org`)

    expect((await ask('one-more@example.org')).body.message).toBe(
      'A watchlist cannot have more than 50 pending invitations by mail',
    )
  })
})
