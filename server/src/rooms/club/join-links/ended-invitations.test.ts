import pino from 'pino'
import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { startMailQueue } from '@marquee/platform/mail/queue'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { removePersonAt } from '../../../remove-person.ts'
import type { Tables } from '../../../tables.ts'
import { allAnnounced } from '../../../testing/all-announced.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist, emailOf } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import { endedInvitations } from './service.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

anyDatabase({ product: productMigrations }, (theDatabase) => {
  /** Ana's watchlist with Ben, into which Ben invites Cleo twice. The mail with the second link waits for an hour. */
  async function aWaitingMail(how: 'by mail' | 'by name') {
    const clock = movableClock()
    const database = theDatabase()
    const sent: string[] = []
    const transport = { deliver: async (_id: string, { to }: { to: string }) => void sent.push(to) }
    const ports = { database, clock, random: systemRandom, logger: pino({ level: 'silent' }) }
    const mail = startMailQueue({ ...ports, transport, isOver: endedInvitations(ports) })
    const app = await startApp(database, { mail, clock })
    const [ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser(`cleo ${systemRandom.uuid()}`)]
    const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben] })
    const params = { watchlistId: watchlist.id }
    const invite = async () =>
      how === 'by mail'
        ? await callOk(app, ENDPOINTS.inviteByMail, ben, { params, body: { email: emailOf(cleo) } })
        : await callOk(app, ENDPOINTS.inviteUser, ben, { params, body: { username: cleo.username } })
    await invite()
    await vi.waitFor(() => expect(sent).toEqual([emailOf(cleo)]), WITHIN)
    await invite()
    // Cleo has the invitation in the app.
    await allAnnounced(database, clock, watchlist.id)
    sent.length = 0
    const anHourLater = async () => {
      clock.moveAhead(HOUR_MS)
      mail.wake()
      const rows = database.withTables<Tables>().read.selectFrom('mail_outbox').select('id')
      await vi.waitFor(
        async () => expect(await rows.where('recipient', '=', emailOf(cleo)).execute()).toEqual([]),
        WITHIN,
      )
      await app.stop()
      await mail.stop()
      return sent.filter((to) => to === emailOf(cleo))
    }
    return { app, ana, ben, cleo, params, clock, anHourLater }
  }
  type Scene = { app: TestApp; ana: Caller; ben: Caller; cleo: Caller; params: { watchlistId: string } }

  test.each(['by mail', 'by name'] as const)(
    'the mail of an invitation %s that is still pending is sent an hour later',
    async (how) => {
      const { anHourLater, cleo } = await aWaitingMail(how)

      expect(await anHourLater()).toEqual([emailOf(cleo)])
    },
  )

  const removePerson = async ({ userId }: Caller, clock: ReturnType<typeof movableClock>) =>
    await theDatabase().transaction(async (trx) => void (await removePersonAt(clock, systemRandom)(trx, userId)))
  const endings: Record<string, (scene: Scene & { clock: ReturnType<typeof movableClock> }) => Promise<unknown>> = {
    accepted: async ({ app, cleo, params }) => await callOk(app, ENDPOINTS.acceptReceivedInvitation, cleo, { params }),
    declined: async ({ app, cleo, params }) => await callOk(app, ENDPOINTS.declineInvitation, cleo, { params }),
    'replaced by a join link that its invitee used': async ({ app, ana, cleo, params }) => {
      const { token } = await callOk(app, ENDPOINTS.createJoinLink, ana, { params, body: { days: 1, maxUses: 1 } })
      await callOk(app, ENDPOINTS.joinByLink, cleo, { body: { token } })
    },
    'over because its watchlist is deleted': async ({ app, ana, params }) =>
      await callOk(app, ENDPOINTS.deleteWatchlist, ana, { params }),
    'over because the account of its invitee is deleted': async ({ cleo, clock }) => await removePerson(cleo, clock),
    'over because its inviter is removed': async ({ app, ana, ben, params }) =>
      await callOk(app, ENDPOINTS.removeMember, ana, { params: { ...params, username: ben.username } }),
    expired: async ({ clock }) => {
      clock.moveAhead(7 * DAY_MS)
      await Promise.resolve()
    },
  }
  const endingsByMail: typeof endings = {
    'over because its inviter leaves': async ({ app, ben, params }) =>
      await callOk(app, ENDPOINTS.removeMember, ben, { params: { ...params, username: ben.username } }),
    'over because the account of its inviter is deleted': async ({ ben, clock }) => await removePerson(ben, clock),
    'revoked because only the owner may invite': async ({ app, ana, params }) =>
      await callOk(app, ENDPOINTS.setLinkCreators, ana, { params, body: { creators: 'owner' } }),
  }

  test.each([
    ...Object.entries(endings).flatMap(([name, end]) => [
      ['by mail', name, end] as const,
      ['by name', name, end] as const,
    ]),
    ...Object.entries(endingsByMail).map(([name, end]) => ['by mail', name, end] as const),
  ])('the waiting mail of an invitation %s that is %s is not sent', async (how, _name, end) => {
    const { anHourLater, ...scene } = await aWaitingMail(how)

    await end(scene)

    expect(await anHourLater()).toEqual([])
  })
})
