import pino from 'pino'
import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { startMailQueue } from '@marquee/platform/mail/queue'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from './migrations/index.ts'
import { callOk } from './testing/call.ts'
import { aUser, aWatchlist, emailOf } from './testing/make.ts'
import { startApp } from './testing/start-app.ts'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  test('members see that an invitee’s address refused the mail until it accepts the next one', async () => {
    const refused = new Set<string>()
    const accepted: string[] = []
    const logger = pino({ level: 'silent' })
    const deliver = async (_id: string, { to }: { to: string }) => {
      if (!refused.has(to)) return await Promise.resolve(void accepted.push(to))
      throw Object.assign(new Error('No such user'), { responseCode: 550, command: 'RCPT TO' })
    }
    const ports = { database: theDatabase(), clock: systemClock, random: systemRandom, logger }
    const mail = startMailQueue({ ...ports, transport: { deliver } })
    const app = await startApp(theDatabase(), { mail })
    const [cleo, dora] = [aUser(`cleo ${aUser().userId.slice(0, 8)}`), aUser(`dora ${aUser().userId.slice(0, 8)}`)]
    const { watchlist, owner } = await aWatchlist(app)
    const params = { watchlistId: watchlist.id }
    for (const address of [emailOf(cleo), 'eve@example.org']) refused.add(address)
    const invite = async (username: string) =>
      await callOk(app, ENDPOINTS.inviteUser, owner, { params, body: { username } })
    const pending = async () => {
      const all = await callOk(app, ENDPOINTS.listPendingInvitations, owner, { params })
      return Object.fromEntries(all.map(({ username, isMailRefused = false }) => [username, isMailRefused]))
    }

    await invite(cleo.username)
    await invite(dora.username)
    await callOk(app, ENDPOINTS.inviteByMail, owner, { params, body: { email: 'eve@example.org' } })
    await vi.waitFor(
      async () =>
        expect(await pending()).toEqual({ [cleo.username]: true, [dora.username]: false, 'eve@example.org': true }),
      WITHIN,
    )
    await invite(cleo.username)

    expect(await pending()).toMatchObject({ [cleo.username]: false })
    expect(accepted).toEqual([emailOf(dora)])
    await app.stop()
    await mail.stop()
  })
})
