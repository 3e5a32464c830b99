import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { mailForServer } from '@marquee/platform/mail/queue'
import type { MailTables } from '@marquee/platform/mail/store'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import type { Tables } from '../../../tables.ts'
import { productMigrations } from '../../../migrations/index.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist, emailOf } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp } from '../../../testing/start-app.ts'

const HOUR_MS = 3600_000

eachStatement<MailTables>({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  // The mails stay in the outbox until a test marks them as sent.
  const mail = mailForServer({ clock, random: systemRandom })
  const theApp = anApp(() => theDatabase().withTables(), { clock, mail })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ana = aUser('ana')
    ben = aUser(`ben ${systemRandom.uuid()}`)
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana }))
  })

  const invite = async (to = watchlist) =>
    await callOk(theApp(), ENDPOINTS.inviteUser, ana, {
      params: { watchlistId: to.id },
      body: { username: ben.username },
    })
  const outbox = async () =>
    await theDatabase()
      .read.selectFrom('mail_outbox')
      .select(['text_body', 'due_at'])
      .where('recipient', '=', emailOf(ben))
      .execute()
  const sendAll = async () => {
    await theDatabase().transaction(async (trx) => {
      await trx.deleteFrom('mail_outbox').where('recipient', '=', emailOf(ben)).execute()
    })
  }
  const manyWatchlists = async (count: number) => {
    const made: Watchlist[] = []
    for (let n = 0; n < count; n += 1) made.push((await aWatchlist(theApp(), { owner: ana })).watchlist)
    return made
  }

  test('an invitation is mailed in the language that the invitee chose', async () => {
    await callOk(theApp(), ENDPOINTS.chooseLanguage, ben, { body: { language: 'de' } })

    await invite()

    expect((await outbox())[0]?.text_body).toContain('ana lädt dich zur Watchlist „Friday films“ ein.')
  })

  test('a renewed invitation replaces the waiting mail, so the mail that is sent has the valid token', async () => {
    await invite()
    await invite()
    const { token } = await invite()

    const mails = await outbox()

    expect(mails).toHaveLength(1)
    expect(mails[0]?.text_body).toContain(`?token=${token}\n`)
  })

  test('the next mail to a user about the same watchlist is sent an hour after the last', async () => {
    await invite()
    const [first] = await outbox()
    await sendAll()

    await invite()
    const { token } = await invite()

    const mails = await outbox()
    expect(mails).toHaveLength(1)
    expect(mails[0]?.due_at).toBe(Number(first?.due_at) + HOUR_MS)
    expect(mails[0]?.text_body).toContain(`?token=${token}\n`)
  })

  test('each further invitation replaces the waiting mail, even after one was withdrawn', async () => {
    await invite()
    await sendAll()
    await invite()
    const params = { watchlistId: watchlist.id, username: ben.username }
    await callOk(theApp(), ENDPOINTS.withdrawInvitation, ana, { params })
    await invite()
    await invite()
    const { token } = await invite()

    const mails = await outbox()

    expect(mails).toHaveLength(1)
    expect(mails[0]?.due_at).toBeLessThanOrEqual(clock.now().getTime() + HOUR_MS)
    expect(mails[0]?.text_body).toContain(`?token=${token}\n`)
  })

  test('a mail is sent at once if the last one is more than an hour old', async () => {
    await invite()
    await sendAll()
    clock.moveAhead(HOUR_MS)

    await invite()

    const [mail] = await outbox()
    expect(mail?.due_at).toBeLessThanOrEqual(clock.now().getTime())
  })

  test(
    'a user gets at most 20 mails a day, and the tokens of unmailed invitations are valid',
    { tags: ['race'] },
    async () => {
      const watchlists = await manyWatchlists(22)

      const invitations = await Promise.all(watchlists.map(invite))

      expect(await outbox()).toHaveLength(20)
      const accepted = await Promise.all(
        invitations.map(
          async ({ token }) => await call(theApp(), ENDPOINTS.acceptInvitation, ben, { body: { token } }),
        ),
      )
      expect(accepted.map(({ status }) => status)).toEqual(Array.from({ length: 22 }, () => 200))
    },
  )

  test('mails that were sent while the clock was ahead do not count toward the limits', async () => {
    const watchlists = await manyWatchlists(20)
    clock.moveAhead(48 * HOUR_MS)
    for (const one of watchlists) await invite(one)
    await sendAll()
    clock.moveAhead(-48 * HOUR_MS)

    await invite()

    const dueAt = (await outbox()).map(({ due_at: at }) => at)
    expect(dueAt).toHaveLength(1)
    expect(dueAt[0]).toBeLessThanOrEqual(clock.now().getTime())
  })

  test('a user who reached the limit gets mails again a day later', async () => {
    for (const one of await manyWatchlists(20)) await invite(one)
    await sendAll()
    await invite()
    const before = await outbox()
    clock.moveAhead(24 * HOUR_MS)

    await invite()

    expect([before.length, (await outbox()).length]).toEqual([0, 1])
  })

  test.each([
    ['withdrawn', async () => await call(theApp(), ENDPOINTS.withdrawInvitation, ana, { params: paramsOf() })],
    ['declined', async () => await call(theApp(), ENDPOINTS.declineInvitation, ben, { params: paramsOf() })],
    ['accepted', async () => await call(theApp(), ENDPOINTS.acceptReceivedInvitation, ben, { params: paramsOf() })],
  ])('a waiting mail is cancelled when its invitation is %s', async (_how, end) => {
    await invite()

    await end()

    expect(await outbox()).toEqual([])
  })
  const paramsOf = () => ({ watchlistId: watchlist.id, username: ben.username })

  test('deleting an account deletes its history of invitation mails', async () => {
    await invite()
    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, ben.userId)
    })

    const kept = theDatabase().withTables<Tables>().read.selectFrom('invitation_mail')
    expect(await kept.selectAll().where('user_id', '=', ben.userId).execute()).toEqual([])
  })
})
