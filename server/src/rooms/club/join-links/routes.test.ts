import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { anApp, startApp } from '../../../testing/start-app.ts'
import { isOpenJoinPath } from './service.ts'
import type { JoinLinkTables } from './store.ts'

const DAY_MS = 24 * 60 * 60_000
const NOT_OPEN = { type: 'NOT_FOUND', message: 'This join link does not work any more' }

eachStatement<JoinLinkTables>({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(() => theDatabase().withTables(), { clock, bus })
  let ana: Caller
  let ben: Caller
  let eve: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ;[ana, ben, eve] = [aUser('ana'), aUser('ben'), aUser('eve')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben], isPrivate: true }))
  })

  const inThis = () => ({ watchlistId: watchlist.id })
  const create = async (by = ben, body = { days: 7, maxUses: 10 }) =>
    await callOk(theApp(), ENDPOINTS.createJoinLink, by, { params: inThis(), body })
  const list = async () => await callOk(theApp(), ENDPOINTS.listJoinLinks, ana, { params: inThis() })
  const preview = async (token: string) =>
    (await call(theApp(), ENDPOINTS.previewJoinLink, undefined, { body: { token } })).body
  const join = async (token: string, by = eve) => await call(theApp(), ENDPOINTS.joinByLink, by, { body: { token } })
  const revoke = async (linkId: string, by = ben) =>
    await callOk(theApp(), ENDPOINTS.revokeJoinLink, by, { params: { ...inThis(), linkId } })
  const setCreators = async (creators: string) =>
    await callOk(theApp(), ENDPOINTS.setLinkCreators, ana, { params: inThis(), body: { creators } })
  const leave = async (who: Caller) =>
    await callOk(theApp(), ENDPOINTS.removeMember, who, { params: { ...inThis(), username: who.username } })
  const members = async () =>
    (await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params: inThis() })).members?.map(({ username }) => username)

  // Evidence: asvs-15.3.1
  test('a visitor with a link sees only the name, image, inviter and member count of the watchlist', async () => {
    const { token } = await create()

    expect(await preview(token)).toEqual({
      state: 'open',
      watchlist: { name: 'Friday films', imageUrl: null, invitedBy: 'ben', memberCount: 2 },
    })
  })

  test('an open link shows its token again only to its creator and the owner', async () => {
    const dora = aUser('dora')
    const { token, id } = await create(ben, { days: 7, maxUses: 2 })
    await join(token, dora)
    const seenBy = async (user: Caller) =>
      (await callOk(theApp(), ENDPOINTS.listJoinLinks, user, { params: inThis() })).links.map((link) => link.token)

    expect([await seenBy(ana), await seenBy(ben), await seenBy(dora)]).toEqual([[token], [token], [null]])
    expect((await join((await seenBy(ana))[0] ?? '')).status).toBe(200)
    expect(await seenBy(ana)).toEqual([])
    // Nor does the database have it.
    const rows = await theDatabase().read.selectFrom('join_link').selectAll().where('id', '=', id).execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('a link made with another key shows no token', async () => {
    await create()
    await theDatabase().transaction(async (trx) => {
      await trx.updateTable('join_link').set({ token_hash: 'of an earlier version' }).execute()
    })

    expect((await list()).links.map(({ token }) => token)).toEqual([null])
  })

  test('a link lets a user into a private watchlist, and live events report the new member', async () => {
    const { token } = await create()

    const answer = await join(token)

    expect(answer.status).toBe(200)
    expect(answer.body.members?.map(({ username }) => username)).toEqual(['ana', 'ben', 'eve'])
    expect(bus.kindsFor(watchlist.id)).toEqual(['invitations-changed', 'members-changed', 'invitations-changed'])
    expect((await list()).links.map(({ uses, maxUses }) => [uses, maxUses])).toEqual([[1, 10]])
  })

  test('a member can open a link again without using it up', async () => {
    const { token } = await create(ben, { days: 7, maxUses: 1 })

    const statuses = [(await join(token, ana)).status, (await join(token)).status, (await join(token)).status]

    expect(statuses).toEqual([200, 200, 200])
    expect(await members()).toEqual(['ana', 'ben', 'eve'])
  })

  // Evidence: asvs-2.3.4
  test('the last use of a link lets in exactly one of several simultaneous users', { tags: ['race'] }, async () => {
    const { token } = await create(ben, { days: 7, maxUses: 1 })
    const crowd = Array.from({ length: 6 }, (_, n) => aUser(`guest ${n}`))

    const answers = await Promise.all(crowd.map(async (one) => await join(token, one)))

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404, 404])
    expect(await members()).toHaveLength(3)
  })

  test('two simultaneous joins by one user use the link once', { tags: ['race'] }, async () => {
    const { token } = await create()

    const answers = await Promise.all([join(token), join(token)])

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await list()).links[0]?.uses).toBe(1)
  })

  test.each([
    ['used-up', async (token: string) => void (await join(token, aUser('dora')))],
    ['revoked', async (_token: string, id: string) => void (await revoke(id))],
    ['expired', async () => clock.moveAhead(7 * DAY_MS)],
  ])('a link that is %s says so, reveals nothing and lets no user in', async (state, end) => {
    const { token, id } = await create(ben, { days: 7, maxUses: 1 })

    await end(token, id)

    expect(await preview(token)).toEqual({ state, watchlist: null })
    expect((await join(token)).body).toEqual(NOT_OPEN)
    expect((await list()).links).toEqual([])
  })

  test('an unknown token gets 404', async () => {
    await create()

    expect(await preview('q1Zt0kXw3sQ4tV8nB2kL6g')).toEqual(NOT_OPEN)
    expect((await join('q1Zt0kXw3sQ4tV8nB2kL6g')).body).toEqual(NOT_OPEN)
  })

  test('a link allows sign-ups only while it is open', async () => {
    const { token, id } = await create()
    const isInvitation = async (path: string) =>
      await isOpenJoinPath({ database: theDatabase().withTables(), clock }, path)

    const before = [
      await isInvitation(`/join/${token}`),
      await isInvitation(`/join/x${token}`),
      await isInvitation('/'),
    ]
    await revoke(id)

    expect([...before, await isInvitation(`/join/${token}`)]).toEqual([true, false, false, false])
  })

  test('only the hash of a token is stored', async () => {
    const { token } = await create()

    const rows = [
      await theDatabase().read.selectFrom('join_link').selectAll().execute(),
      await theDatabase().read.selectFrom('join_token').selectAll().execute(),
    ]

    expect(Buffer.from(token, 'base64url')).toHaveLength(16)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('a link that ended more than 30 days ago is deleted when the next one is created', async () => {
    const { token } = await create()
    clock.moveAhead(38 * DAY_MS)
    await create()

    expect(await preview(token)).toEqual(NOT_OPEN)
    const tokens = theDatabase().read.selectFrom('join_token').selectAll().where('watchlist_id', '=', watchlist.id)
    expect(await tokens.execute()).toHaveLength(1)
  })

  test('a watchlist has at most 20 open links', async () => {
    for (let n = 0; n < 20; n += 1) await create()

    const answer = await call(theApp(), ENDPOINTS.createJoinLink, ana, {
      params: inThis(),
      body: { days: 1, maxUses: 1 },
    })

    expect({ status: answer.status, message: answer.body.message }).toEqual({
      status: 400,
      message: 'A watchlist cannot have more than 20 open join links',
    })
  })

  test.each([
    [{ days: 0, maxUses: 1 }, 'days'],
    [{ days: 31, maxUses: 1 }, 'days'],
    [{ days: 1, maxUses: 0 }, 'maxUses'],
    [{ days: 1, maxUses: 101 }, 'maxUses'],
    [{ days: 1.5, maxUses: 1 }, 'days'],
  ])('a link with %j is refused', async (body, field) => {
    const { status, body: problem } = await call(theApp(), ENDPOINTS.createJoinLink, ana, { params: inThis(), body })

    expect(status).toBe(400)
    expect(problem.message).toMatch(new RegExp(`^${field}: `, 'u'))
  })

  describe('a watchlist in which only the owner may create links', () => {
    test('the links of other members are revoked, and those of the owner still work', async () => {
      const [ofBen, ofAna] = [await create(ben), await create(ana)]

      const { creators, links } = await setCreators('owner')

      expect({ creators, links: links.map(({ id }) => id) }).toEqual({ creators: 'owner', links: [ofAna.id] })
      expect(await preview(ofBen.token)).toEqual({ state: 'revoked', watchlist: null })
      expect((await join(ofAna.token)).status).toBe(200)
    })

    test('a member cannot create a link until the owner allows it again', async () => {
      const create = async () =>
        (await call(theApp(), ENDPOINTS.createJoinLink, ben, { params: inThis(), body: { days: 1, maxUses: 1 } }))
          .status
      await setCreators('owner')
      const refused = await create()
      await setCreators('members')

      expect([refused, await create()]).toEqual([403, 201])
    })
  })

  test('the data export of a user has only the open links that they created, and no tokens', async () => {
    const [own, other] = [await create(ben), await create(ana)]

    const exported = await callOk(theApp(), ENDPOINTS.exportData, ben)

    const links = exported.watchlists.map(({ joinLinks }) => joinLinks)
    expect(links).toMatchObject([[{ id: own.id, createdBy: 'ben', uses: 0 }]])
    for (const { token } of [own, other]) expect(JSON.stringify(exported)).not.toContain(token)
  })

  test('no log contains a token', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const logging = await startApp(theDatabase().withTables(), { logger, clock })
    const { token } = await create()
    await logging.app.inject({ url: `/join/${token}`, headers: { accept: 'text/html' } })
    await call(logging, ENDPOINTS.previewJoinLink, undefined, { body: { token } })
    await call(logging, ENDPOINTS.joinByLink, eve, { body: { token } })
    await call(logging, ENDPOINTS.joinByLink, undefined, { body: { token } })
    await logging.stop()

    expect(lines.filter((line) => line.includes('a request was answered'))).toHaveLength(4)
    expect(lines.join('')).not.toContain(token)
  })

  test('a member who left can come back by a link, but a removed member cannot', async () => {
    const { token } = await create(ana)
    await join(token)

    await leave(eve)
    expect((await join(token)).status).toBe(200)
    await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { ...inThis(), username: 'eve' } })

    expect((await join(token)).body).toEqual(NOT_OPEN)
    expect(await preview(token)).toEqual({ state: 'revoked', watchlist: null })
  })

  test('the links of a member who leaves stop working', async () => {
    const { token } = await create(ben)

    await leave(ben)

    expect(await preview(token)).toEqual(NOT_OPEN)
  })

  test('the tokens of a deleted watchlist are deleted', async () => {
    await create(ben)

    await callOk(theApp(), ENDPOINTS.deleteWatchlist, ana, { params: inThis() })

    const tokens = theDatabase().read.selectFrom('join_token').selectAll().where('watchlist_id', '=', watchlist.id)
    expect(await tokens.execute()).toEqual([])
  })

  test('joining by a link ends the pending invitation of the user', async () => {
    await callOk(theApp(), ENDPOINTS.inviteUser, ana, { params: inThis(), body: { username: 'eve' } })
    const { token } = await create()

    await join(token)

    expect(await callOk(theApp(), ENDPOINTS.listReceivedInvitations, eve)).toEqual([])
  })
})
