import { beforeEach, describe, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { INVITATION_VALID_DAYS } from '@marquee/contract/limits'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { aUser, aWatchlist, emailOf } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp, PUBLIC_URL } from '../../../testing/start-app.ts'
import { register } from '../../../testing/test-accounts.ts'
import type { InvitationTables } from './store.ts'

const DAY_MS = 24 * 60 * 60_000
const BAD_LINK = { type: 'NOT_FOUND', message: 'Invalid or expired invitation link' }

eachStatement<InvitationTables>({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(() => theDatabase().withTables(), { clock, bus })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ana = aUser('ana')
    ben = aUser('Ben Ö')
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana }))
  })

  const inThis = () => ({ watchlistId: watchlist.id })
  const invite = async (username = 'Ben Ö', by = ana) =>
    await callOk(theApp(), ENDPOINTS.inviteUser, by, { params: inThis(), body: { username } })
  const accept = async (token: string, by = ben) =>
    await call(theApp(), ENDPOINTS.acceptInvitation, by, { body: { token } })
  const acceptReceived = async (by = ben) =>
    await call(theApp(), ENDPOINTS.acceptReceivedInvitation, by, { params: inThis() })
  const pending = async (by = ana) => await callOk(theApp(), ENDPOINTS.listPendingInvitations, by, { params: inThis() })
  const received = async (by = ben) => await callOk(theApp(), ENDPOINTS.listReceivedInvitations, by)
  const membersOf = async () =>
    (await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params: inThis() })).members?.map(({ username }) => username)
  const withdraw = async (username: string, by = ana) =>
    await call(theApp(), ENDPOINTS.withdrawInvitation, by, { params: { ...inThis(), username } })
  const inviteAgain = async () =>
    await call(theApp(), ENDPOINTS.inviteUser, ana, { params: inThis(), body: { username: 'Ben Ö' } })
  const rowsKept = async () =>
    await theDatabase()
      .read.selectFrom('person_invitation')
      .select('user_id')
      .where('watchlist_id', '=', watchlist.id)
      .execute()
  const decline = async (by = ben) => await call(theApp(), ENDPOINTS.declineInvitation, by, { params: inThis() })

  describe('the inviter', () => {
    test('the inviter gets the token, its expiry, and the exact username of the invitee', async () => {
      const invitation = await invite('  ben ö ')

      expect(invitation).toMatchObject({ watchlistId: watchlist.id, username: 'Ben Ö' })
      expect(new Date(invitation.expiresAt).getTime() - new Date(invitation.createdAt).getTime()).toBe(7 * DAY_MS)
    })

    test('the invitee gets one mail, with the link on a line of its own', async () => {
      const { token } = await invite()

      const mail = await vi.waitFor(() => {
        const mails = theApp()
          .mails()
          .filter(({ to }) => to === emailOf(ben))
        expect(mails).toHaveLength(1)
        return mails[0]
      }, WITHIN)

      expect(mail?.text.split('\n')).toContain(`${PUBLIC_URL}/watchlists/invitation/accept?token=${token}`)
    })

    test('the inviter can pass the token to a user without a mail address', async () => {
      register({ ...ben, email: undefined })

      const { token } = await invite()

      expect((await accept(token)).status).toBe(200)
    })

    test.each([
      ['an unknown name', 'no such user', 404, 'There is no user with this username'],
      ['the inviter', ' ANA ', 400, 'You are already a member of this watchlist'],
      ['another member', 'CLEO', 400, 'This user is already a member of this watchlist'],
    ])('the inviter cannot invite %s', async (_whom, username, status, message) => {
      ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [aUser('cleo')] }))

      const answer = await call(theApp(), ENDPOINTS.inviteUser, ana, { params: inThis(), body: { username } })

      expect({ status: answer.status, message: answer.body.message }).toEqual({ status, message })
      expect(await pending()).toEqual([])
    })

    test('inviting again voids the earlier token and leaves one invitation pending', async () => {
      const first = await invite()
      const second = await invite()

      expect(await pending()).toHaveLength(1)
      expect((await accept(first.token)).body).toEqual(BAD_LINK)
      expect((await accept(second.token)).status).toBe(200)
    })

    test('inviting a user sends a live event about the changed invitations', async () => {
      await invite()

      expect(bus.kindsFor(watchlist.id)).toEqual(['invitations-changed'])
    })
  })

  test('only the hash of a token is stored', async () => {
    const { token } = await invite()

    const rows = await theDatabase().read.selectFrom('person_invitation').selectAll().execute()

    expect(rows.map((row) => row.token_hash)).toContain(hashOfSecret(token))
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  describe('the invitee with the token', () => {
    test('the invitee becomes a member, the watchlist becomes current, and the invitation is no longer pending', async () => {
      const { token } = await invite()

      const { status, body } = await accept(token)

      expect(status).toBe(200)
      expect(body).toMatchObject({ id: watchlist.id, name: watchlist.name })
      expect(body.members?.map(({ username }) => username)).toEqual(['ana', 'Ben Ö'])
      expect((await callOk(theApp(), ENDPOINTS.listWatchlists, ben)).map(({ id }) => id)).toEqual([watchlist.id])
      expect(await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, ben)).toEqual({ currentWatchlistId: watchlist.id })
      expect([await pending(), await received()]).toEqual([[], []])
      expect(bus.kindsFor(watchlist.id)).toEqual(['invitations-changed', 'members-changed', 'invitations-changed'])
    })

    test('an invitee who has a current watchlist keeps it', async () => {
      const { watchlist: own } = await aWatchlist(theApp(), { owner: ben })
      const { token } = await invite()

      await accept(token)

      expect(await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, ben)).toEqual({ currentWatchlistId: own.id })
    })

    test('the invitee can accept again, even after the invitation has expired', async () => {
      const { token } = await invite()
      const first = await accept(token)
      clock.moveAhead((INVITATION_VALID_DAYS + 1) * DAY_MS)

      const second = await accept(token)

      expect([first.status, second.status]).toEqual([200, 200])
      expect(second.body).toEqual(first.body)
    })

    test(
      'the invitee can accept the same invitation several times at once and is a member once',
      { tags: ['race'] },
      async () => {
        const { token } = await invite()

        const answers = await Promise.all(Array.from({ length: 8 }, async () => await accept(token)))

        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
        expect(await membersOf()).toEqual(['ana', 'Ben Ö'])
        expect(await callOk(theApp(), ENDPOINTS.listWatchlists, ben)).toHaveLength(1)
      },
    )

    test(
      'another user with the token sees who the invitation is for, and it stays pending',
      { tags: ['race'] },
      async () => {
        const { token } = await invite()

        const others = await Promise.all([
          accept(token, aUser('eve')),
          accept(token, aUser('ben ö')),
          accept(token, ana),
        ])

        const refusal = { type: 'UNAUTHORIZED', message: 'This invitation is for Ben Ö.' }
        expect(others.map(({ status, body }) => [status, body])).toEqual([
          [403, refusal],
          [403, refusal],
          [403, refusal],
        ])
        expect((await accept(token)).status).toBe(200)
      },
    )

    test('another user with the token gets 404 if the invitation is withdrawn, replaced, accepted or expired', async () => {
      const eve = aUser('eve')
      const { token: withdrawn } = await invite()
      await withdraw('Ben Ö')
      const { token: replaced } = await invite()
      const { token: accepted } = await invite()
      await accept(accepted)
      aUser('dora')
      const { token: expired } = await invite('dora')
      clock.moveAhead(7 * DAY_MS)

      for (const token of [withdrawn, replaced, accepted, expired]) {
        expect((await accept(token, eve)).body).toEqual(BAD_LINK)
      }
    })

    test('another user with a forged token that names the invitee gets 404', async () => {
      const { token } = await invite()
      const forged = Buffer.from(token, 'base64url').fill(7, 0, 32).toString('base64url')

      expect((await accept(forged, aUser('eve'))).body).toEqual(BAD_LINK)
    })

    test.each(['unknown', 'x'.repeat(128), "' or 1=1 --"])(
      'the invitee gets 404 for a token like %j',
      async (token) => {
        await invite()

        const { status, body } = await accept(token)

        expect([status, body]).toEqual([404, BAD_LINK])
      },
    )

    test('an invitation can be accepted for seven days and not later', async () => {
      const cleo = aUser('cleo')
      const [{ token }, late] = [await invite(), await invite('cleo')]
      clock.moveAhead(INVITATION_VALID_DAYS * DAY_MS - 60_000)
      const inTime = await accept(token)
      clock.moveAhead(60_000)

      const tooLate = await accept(late.token, cleo)

      expect(inTime.status).toBe(200)
      expect([tooLate.status, tooLate.body]).toEqual([404, BAD_LINK])
      expect([await pending(), await received(cleo)]).toEqual([[], []])
      expect((await acceptReceived(cleo)).status).toBe(404)
      expect((await decline(cleo)).status).toBe(404)
      expect((await withdraw('cleo')).status).toBe(404)
    })

    test('a former member cannot join again with the same token after leaving', async () => {
      const { token } = await invite()
      await accept(token)
      await call(theApp(), ENDPOINTS.removeMember, ben, { params: { ...inThis(), username: 'Ben Ö' } })

      const again = await accept(token)

      expect([again.status, again.body]).toEqual([404, BAD_LINK])
      expect((await acceptReceived()).status).toBe(404)
      expect(await membersOf()).toEqual(['ana'])
      expect(await rowsKept()).toEqual([])
    })
  })

  describe('pending invitations', () => {
    test('every member sees pending invitations, without the token, oldest first', async () => {
      const cleo = aUser('cleo')
      ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [cleo] }))
      const { token, ...invitation } = await invite('Ben Ö', cleo)
      aUser('dora')
      await invite('dora')

      const waiting = await pending(cleo)

      expect(waiting).toMatchObject([{ username: 'Ben Ö' }, { username: 'dora' }])
      expect(waiting[0]).toEqual({ ...invitation, invitedBy: 'cleo' })
      expect(JSON.stringify(waiting)).not.toContain(token)
    })

    test('the invitee sees pending invitations with the name of the watchlist, even a private one, newest first', async () => {
      const { watchlist: hidden } = await aWatchlist(theApp(), { owner: ana, isPrivate: true })
      const { token, ...invitation } = await invite()
      watchlist = hidden
      await invite()

      const waiting = await received()

      expect(waiting.map(({ watchlistId }) => watchlistId)).toEqual([hidden.id, invitation.watchlistId])
      expect(waiting[1]).toEqual({ ...invitation, invitedBy: 'ana', watchlistName: 'Friday films' })
      expect(JSON.stringify(waiting)).not.toContain(token)
      expect((await call(theApp(), ENDPOINTS.getWatchlist, ben, { params: inThis() })).status).toBe(404)
    })

    test('only the invitee can accept a pending invitation without the token, even twice', async () => {
      await invite()

      const stranger = await acceptReceived(aUser('eve'))
      const [first, second] = [await acceptReceived(), await acceptReceived()]

      expect([stranger.status, first.status, second.status]).toEqual([404, 200, 200])
      expect(await membersOf()).toEqual(['ana', 'Ben Ö'])
    })

    test('pending invitations are removed with their token when the invitee declines', async () => {
      const { token } = await invite()

      const { status } = await decline()

      expect(status).toBe(204)
      expect([await pending(), await received()]).toEqual([[], []])
      expect((await accept(token)).body).toEqual(BAD_LINK)
      expect((await decline()).status).toBe(404)
      expect(bus.kindsFor(watchlist.id)).toEqual(['invitations-changed', 'invitations-changed'])
    })

    test('pending invitations are removed with their token when withdrawn, whatever the case of the name', async () => {
      const { token } = await invite()

      const { status } = await withdraw('BEN ö')

      expect(status).toBe(204)
      expect([await pending(), await received()]).toEqual([[], []])
      expect((await accept(token)).body).toEqual(BAD_LINK)
      expect((await withdraw('BEN ö')).status).toBe(404)
    })

    test('pending invitations are deleted with their watchlist', async () => {
      const { token } = await invite()

      await call(theApp(), ENDPOINTS.deleteWatchlist, ana, { params: inThis() })

      expect(await received()).toEqual([])
      expect((await accept(token)).body).toEqual(BAD_LINK)
      expect(await rowsKept()).toEqual([])
    })

    test('pending invitations can be accepted while a member invites again', { tags: ['race'] }, async () => {
      const statuses: number[] = []
      for (let round = 0; round < 20; round += 1) {
        ben = aUser('Ben Ö')
        ;({ watchlist } = await aWatchlist(theApp(), { owner: ana }))
        await invite()
        const [, accepted] = await Promise.all([inviteAgain(), acceptReceived()])
        statuses.push(accepted.status)
      }

      expect(new Set(statuses)).toEqual(new Set([200]))
    })

    test.each([
      ['withdrawn', async () => await withdraw('Ben Ö'), [200, 404], [404, 204]],
      ['declined', async () => await decline(), [200, 404], [404, 204]],
      ['replaced', async () => await inviteAgain(), [200, 400], [404, 201]],
    ] as const)(
      'pending invitations are accepted or %s, never both, when both happen at once',
      { tags: ['race'] },
      async (_what, end, ...outcomes) => {
        for (let round = 0; round < 20; round += 1) {
          ben = aUser('Ben Ö')
          ;({ watchlist } = await aWatchlist(theApp(), { owner: ana }))
          const { token } = await invite()

          const [accepted, ended] = await Promise.all([accept(token), end()])

          const isMember = (await membersOf())?.includes('Ben Ö')
          expect(outcomes).toContainEqual([accepted.status, ended.status])
          expect(isMember).toBe(accepted.status === 200)
        }
      },
    )

    test(
      'pending invitations leave no rows if they are accepted while their watchlist is deleted',
      { tags: ['race'] },
      async () => {
        for (let round = 0; round < 20; round += 1) {
          ben = aUser('Ben Ö')
          ;({ watchlist } = await aWatchlist(theApp(), { owner: ana }))
          const { token } = await invite()

          const [accepted, deleted] = await Promise.all([
            accept(token),
            call(theApp(), ENDPOINTS.deleteWatchlist, ana, { params: inThis() }),
          ])

          expect([200, 404]).toContain(accepted.status)
          expect(deleted.status).toBe(204)
          expect(await callOk(theApp(), ENDPOINTS.listWatchlists, ben)).toEqual([])
          expect(await rowsKept()).toEqual([])
        }
      },
    )
  })
})
