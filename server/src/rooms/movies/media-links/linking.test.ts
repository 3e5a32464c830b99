import { expect, onTestFinished, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { withTables } from '@marquee/platform/database/database'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { aMediaServer } from '../../../testing/media/a-media-server.ts'
import { aClubWith, ALIEN, RAN } from '../../../testing/media/linked-club.ts'
import { startApp } from '../../../testing/start-app.ts'
import type { MediaLinkTables } from './store.ts'

const MINUTE_MS = 60_000
const ANOTHER_MACHINE = {
  jellyfin: 'fedcba98765432100123456789abcdef',
  emby: 'edcba98765432100123456789abcdef0',
  plex: 'fedcba9876543210fedcba9876543210fedcba98',
}

eachStatement({ product: productMigrations }, (theDatabase) => {
  const rowsOf = async (table: keyof MediaLinkTables, { watchlistId }: { watchlistId: string }) =>
    await withTables<MediaLinkTables>(theDatabase().read)
      .selectFrom(table)
      .selectAll()
      .where('watchlist_id', '=', watchlistId)
      .execute()

  test.each(['10.10.7', '10.8.13'])('a member links their user of Jellyfin %s with a code', async (version) => {
    const { started, clock, standIn, ben, params, own } = await aClubWith(theDatabase(), 'jellyfin', {
      films: { version },
    })
    const { code, attempt, endsAt } = await callOk(started, ENDPOINTS.beginQuickConnect, ben, { params })
    const finish = async () => await callOk(started, ENDPOINTS.finishQuickConnect, ben, { params, body: { attempt } })
    expect(code).toBe('100000')
    expect(Date.parse(endsAt)).toBeGreaterThan(clock.now().getTime() + 9 * MINUTE_MS)
    expect(await finish()).toEqual({ link: null })

    for (const entered of standIn.state.codes.values()) entered.userId = '0a1b2c3d4e5f60718293a4b5c6d7e8f9'
    const { link } = await finish()

    expect(link).toMatchObject({ serverId: params.serverId, state: 'linked', name: 'Lea', isSent: true })
    expect(await own(ben)).toEqual([link])
    expect(standIn.state.tokens.size).toBe(1)
  })

  test('an expired code, an unknown code and the code of another member link no user', async () => {
    const { started, clock, standIn, ben, cleo, params, own } = await aClubWith(theDatabase(), 'jellyfin')
    const begin = async () => (await callOk(started, ENDPOINTS.beginQuickConnect, ben, { params })).attempt
    const finish = async (by: typeof ben, attempt: string) => {
      const answer = await call(started, ENDPOINTS.finishQuickConnect, by, { params, body: { attempt } })
      return [answer.status, answer.body.message]
    }
    const ended = [400, 'This code has expired: start again']
    const [first, second] = [await begin(), await begin()]
    for (const entered of standIn.state.codes.values()) entered.userId = standIn.state.users[0]?.id ?? ''

    expect(await finish(cleo, first)).toEqual(ended)
    expect(await finish(ben, 'none')).toEqual(ended)
    standIn.state.codes.delete([...standIn.state.codes.keys()][0] ?? '')
    expect(await finish(ben, first)).toEqual(ended)
    clock.moveAhead(10 * MINUTE_MS)
    expect(await finish(ben, second)).toEqual(ended)
    expect([...(await own(ben)), ...(await own(cleo))]).toEqual([])
  })

  test('linking reports that Quick Connect is off, or that the server does not answer', async () => {
    const { started, standIn, ben, params } = await aClubWith(theDatabase(), 'jellyfin')
    const begin = async () => {
      const { status, body } = await call(started, ENDPOINTS.beginQuickConnect, ben, { params })
      return [status, body.message]
    }
    standIn.state.hasQuickConnect = false

    expect(await begin()).toEqual([400, 'Quick Connect is switched off on this media server'])
    standIn.fail('down')
    expect(await begin()).toEqual([400, 'No media server answers at this address'])
  })

  test('a member links their user of Emby with name and password, and no secret is stored in plain text', async () => {
    const { started, standIn, ben, params, list, own } = await aClubWith(theDatabase(), 'emby')
    const link = async (password: string) =>
      await call(started, ENDPOINTS.linkWithPassword, ben, { params, body: { name: 'Lea', password } })
    const wrong = await link('a guess')
    expect([wrong.status, wrong.body.message]).toEqual([400, 'The media server does not accept this name and password'])
    expect(await own(ben)).toEqual([])

    const { body } = await link('a secret of Lea')

    expect(body).toMatchObject({ state: 'linked', name: 'Lea', isSent: true })
    const stored = JSON.stringify(await rowsOf('media_link', list))
    for (const secret of ['a secret of Lea', ...standIn.state.tokens.keys()]) expect(stored).not.toContain(secret)
  })

  test('a claimed Plex account waits until the owner confirms or refuses it', async () => {
    const { started, ana, ben, cleo, params, list, own } = await aClubWith(theDatabase(), 'plex')
    const { accounts } = await callOk(started, ENDPOINTS.listMediaAccounts, ben, { params })
    expect(accounts).toEqual([
      { accountId: '1', name: 'Lea' },
      { accountId: '61240', name: 'Ida' },
    ])
    const claim = async (by: typeof ben, accountId: string) =>
      await callOk(started, ENDPOINTS.claimMediaAccount, by, { params, body: { accountId } })
    const answer = async (by: typeof ben, username: string, isConfirmed: boolean) => {
      const accountId = username === 'cleo' ? '1' : '61240'
      const place = { params: { ...params, username }, body: { accountId, isConfirmed } }
      return (await call(started, ENDPOINTS.answerMediaClaim, by, place)).status
    }
    expect(await claim(ben, '61240')).toMatchObject({ state: 'waiting', name: 'Ida', isSent: false })
    expect(await claim(cleo, '1')).toMatchObject({ state: 'waiting', name: 'Lea', isSent: true })
    const claims = async (by: typeof ben) =>
      (await callOk(started, ENDPOINTS.listMediaLinks, by, { params: list })).claims.map(({ username }) => username)
    expect([await claims(ana), await claims(ben)]).toEqual([['ben', 'cleo'], []])

    expect(await answer(ben, 'ben', true)).toBe(403)
    expect([await answer(ana, 'BEN', true), await answer(ana, 'cleo', false), await answer(ana, 'cleo', true)]).toEqual(
      [204, 204, 404],
    )

    expect(await own(ben)).toMatchObject([{ state: 'linked', name: 'Ida' }])
    expect(await own(cleo)).toEqual([])
    expect(await claim(ben, '61240')).toMatchObject({ state: 'linked' })
    expect(await claim(ana, '1')).toMatchObject({ state: 'linked', isSent: true })
    const none = await call(started, ENDPOINTS.claimMediaAccount, ben, { params, body: { accountId: '7' } })
    expect([none.status, none.body.message]).toEqual([400, 'The media server does not have this account'])
  })

  test('a confirmation counts only for the account that the owner read, not for one claimed later', async () => {
    const { started, ana, ben, params, list, own } = await aClubWith(theDatabase(), 'plex')
    const claim = async (accountId: string) =>
      await callOk(started, ENDPOINTS.claimMediaAccount, ben, { params, body: { accountId } })
    const answer = async (accountId: string, isConfirmed: boolean) => {
      const place = { params: { ...params, username: 'ben' }, body: { accountId, isConfirmed } }
      return (await call(started, ENDPOINTS.answerMediaClaim, ana, place)).status
    }
    const claims = async () => (await callOk(started, ENDPOINTS.listMediaLinks, ana, { params: list })).claims
    const { serverId } = params
    await claim('61240')
    expect(await claims()).toEqual([{ serverId, username: 'ben', accountId: '61240', name: 'Ida' }])

    await claim('1')

    expect([await answer('61240', true), await answer('61240', false)]).toEqual([404, 404])
    expect(await own(ben)).toMatchObject([{ state: 'waiting', name: 'Lea' }])
    expect(await claims()).toEqual([{ serverId, username: 'ben', accountId: '1', name: 'Lea' }])
  })

  test('the member who gave the key confirms accounts after a handover, until the new owner gives a key', async () => {
    const { started, standIn, ana, ben, cleo, params, list, own } = await aClubWith(theDatabase(), 'plex')
    const claim = async (by: typeof ben, accountId: string) =>
      await callOk(started, ENDPOINTS.claimMediaAccount, by, { params, body: { accountId } })
    const answer = async (by: typeof ben, username: string, accountId: string) => {
      const place = { params: { ...params, username }, body: { accountId, isConfirmed: true } }
      return (await call(started, ENDPOINTS.answerMediaClaim, by, place)).status
    }
    const claims = async () => {
      const replies = [ana, ben].map(
        async (by) => (await callOk(started, ENDPOINTS.listMediaLinks, by, { params: list })).claims,
      )
      return (await Promise.all(replies)).map((waiting) => waiting.map(({ username }) => username))
    }
    await callOk(started, ENDPOINTS.handOverWatchlist, ana, { params: list, body: { username: 'ben' } })

    expect(await claim(ben, '1')).toMatchObject({ state: 'waiting', isSent: true })
    expect(await claims()).toEqual([['ben'], []])
    expect([await answer(ben, 'ben', '1'), await answer(cleo, 'ben', '1'), await answer(ana, 'ben', '1')]).toEqual([
      403, 403, 204,
    ])
    expect(await own(ben)).toMatchObject([{ state: 'linked' }])
    expect(await claim(ana, '61240')).toMatchObject({ state: 'linked' })
    await claim(cleo, '1')
    expect(await answer(ana, 'cleo', '1')).toBe(204)

    await callOk(started, ENDPOINTS.changeMediaServer, ben, { params, body: { token: standIn.state.key } })
    // Marks of the first account are sent with the key, which is Ben's now.
    expect([await own(cleo), await own(ben), await own(ana)]).toMatchObject([
      [{ state: 'ended' }],
      [{ state: 'linked' }],
      [{ state: 'linked', isSent: false }],
    ])
    expect(await claim(cleo, '1')).toMatchObject({ state: 'waiting' })
    expect(await answer(ben, 'cleo', '1')).toBe(204)
    expect(await own(cleo)).toMatchObject([{ state: 'linked' }])
    expect(await claim(cleo, '61240')).toMatchObject({ state: 'waiting' })
    expect(await claims()).toEqual([[], ['cleo']])
    expect([await answer(ana, 'cleo', '61240'), await answer(ben, 'cleo', '61240')]).toEqual([403, 204])
    expect(await claim(ben, '61240')).toMatchObject({ state: 'linked' })
  })

  test('a password is not sent if another server answers at the address, and the linking is rejected', async () => {
    const { started, standIn, ben, params, list } = await aClubWith(theDatabase(), 'emby')
    await theDatabase().transaction(async (trx) => {
      const server = withTables<{ media_server: { watchlist_id: string; machine_id: string } }>(trx)
      await server
        .updateTable('media_server')
        .set({ machine_id: 'another' })
        .where('watchlist_id', '=', list.watchlistId)
        .execute()
    })

    const body = { name: 'Lea', password: 'a secret of Lea' }
    const answer = await call(started, ENDPOINTS.linkWithPassword, ben, { params, body })

    expect(answer).toMatchObject({ status: 400, body: { fault: 'other-server' } })
    expect(standIn.asked.map(({ path }) => path)).not.toContain('/Users/AuthenticateByName')
    expect(JSON.stringify(standIn.asked)).not.toContain(body.password)
  })

  test.each(['jellyfin', 'emby', 'plex'] as const)(
    'another machine at the address of %s is not adopted, and gets no key, token or password',
    async (kind) => {
      const club = await aClubWith(theDatabase(), kind)
      const { started, ana, ben, params, list, linkHere, add, mark, untilFault } = club
      const alien = await add('Alien', { tmdb: ALIEN.tmdb })
      await linkHere(ben)
      const { standIn } = club
      standIn.state.machineId = ANOTHER_MACHINE[kind]
      const before = standIn.asked.length

      await untilFault('other-server')
      await mark(ben, alien)
      await vi.waitFor(() => {
        expect(standIn.asked.length).toBeGreaterThan(before + 1)
      }, WITHIN)
      const body = { name: 'Lea', password: 'a secret of Lea' }
      const begin = {
        jellyfin: async () => await call(started, ENDPOINTS.beginQuickConnect, ben, { params }),
        emby: async () => await call(started, ENDPOINTS.linkWithPassword, ben, { params, body }),
        plex: async () => await call(started, ENDPOINTS.listMediaAccounts, ben, { params }),
      }

      expect(await begin[kind]()).toMatchObject({ status: 400, body: { fault: 'other-server' } })
      const open = kind === 'plex' ? '/identity' : '/System/Info/Public'
      expect(new Set(standIn.asked.slice(before).map(({ path }) => path))).toEqual(new Set([open]))
      const sent = JSON.stringify(standIn.asked.slice(before))
      for (const secret of [standIn.state.key, ...standIn.state.tokens.keys(), 'a secret of Lea'])
        expect(sent).not.toContain(secret)
      const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params: list })
      expect(servers).toMatchObject([{ state: 'failing', fault: 'other-server', movies: 2 }])
    },
  )

  test.each(['jellyfin', 'emby', 'plex'] as const)(
    'a new key lets another machine replace %s, and ends all links to the earlier one',
    async (kind) => {
      const { started, standIn, ana, ben, cleo, params, list, linkHere, own, add, mark, untilMarked } = await aClubWith(
        theDatabase(),
        kind,
      )
      const alien = await add('Alien', { tmdb: ALIEN.tmdb })
      const change = async (token: string) =>
        await callOk(started, ENDPOINTS.changeMediaServer, ana, { params, body: { token } })
      await linkHere(ben, 'Lea')
      await linkHere(cleo, 'Ida')
      await mark(ben, alien)
      const itemId = standIn.itemIdOf(ALIEN, 0)
      await untilMarked([{ itemId, isSeen: true }])
      standIn.state.key = `${kind}-another-key`
      expect(await change(standIn.state.key)).toMatchObject({ movies: 2 })
      expect([await own(ben), await own(cleo)]).toMatchObject([[{ state: 'linked' }], [{ state: 'linked' }]])

      standIn.state.machineId = ANOTHER_MACHINE[kind]
      expect(await change(standIn.state.key)).toMatchObject({ state: 'waiting', readAt: null, movies: null })

      expect([await own(ben), await own(cleo)]).toMatchObject([[{ state: 'ended' }], [{ state: 'ended' }]])
      expect(await rowsOf('media_mark', list)).toEqual([])
      expect((await rowsOf('media_link', list)).map((row) => 'token' in row && row.token)).toEqual([null, null])
      await vi.waitFor(async () => {
        const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params: list })
        expect(servers).toMatchObject([{ state: 'ready', movies: 2 }])
      }, WITHIN)
      await linkHere(ben, 'Lea')
      await mark(ben, await add('Ran', { imdb: RAN.imdb }))
      await untilMarked([
        { itemId, isSeen: true },
        { itemId: standIn.itemIdOf(RAN, 1), isSeen: true },
      ])
    },
  )

  test('a new key cannot turn two servers of a watchlist into the same one', async () => {
    const { started, standIn, ana, params, list, connect } = await aClubWith(theDatabase(), 'jellyfin')
    const other = await aMediaServer('jellyfin')
    other.state.machineId = ANOTHER_MACHINE.jellyfin
    await connect(other)
    standIn.state.machineId = ANOTHER_MACHINE.jellyfin

    const body = { token: standIn.state.key }
    const answer = await call(started, ENDPOINTS.changeMediaServer, ana, { params, body })

    expect([answer.status, answer.body.message]).toEqual([400, 'This media server is already connected'])
    const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params: list })
    expect(servers).toMatchObject([{ state: 'ready' }, { state: 'ready' }])
  })

  test('a user who signs in while another machine takes over the address is not linked', async () => {
    const { started, standIn, ana, ben, params, own } = await aClubWith(theDatabase(), 'emby')
    const release = standIn.hold(({ path }) => path.endsWith('/AuthenticateByName'))
    const body = { name: 'Lea', password: 'a secret of Lea' }
    const before = standIn.asked.length
    const linking = call(started, ENDPOINTS.linkWithPassword, ben, { params, body })
    await vi.waitFor(() => {
      expect(standIn.asked.length).toBe(before + 2)
    }, WITHIN)
    standIn.state.machineId = ANOTHER_MACHINE.emby
    const changing = { params, body: { token: standIn.state.key } }
    await callOk(started, ENDPOINTS.changeMediaServer, ana, changing)

    release()

    expect(await linking).toMatchObject({ status: 400, body: { fault: 'other-server' } })
    expect(await own(ben)).toEqual([])
  })

  test('a user of Plex cannot be linked by a code or a password', async () => {
    const { started, ben, params } = await aClubWith(theDatabase(), 'plex')

    const answers = [
      await call(started, ENDPOINTS.beginQuickConnect, ben, { params }),
      await call(started, ENDPOINTS.linkWithPassword, ben, { params, body: { name: 'Lea', password: '' } }),
    ]

    const message = 'Users of this kind of media server are linked in another way'
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [400, message],
      [400, message],
    ])
  })

  test('a link is deleted at once when its member unlinks or leaves, or its server is disconnected', async () => {
    const { started, ana, ben, cleo, list, params, linkHere, makeHook, add, mark, report } = await aClubWith(
      theDatabase(),
      'jellyfin',
    )
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    for (const by of [ana, ben, cleo]) {
      await linkHere(by)
      await mark(by, alien)
    }
    const address = await makeHook()
    const linked = async () => (await rowsOf('media_link', list)).map((row) => ('username' in row ? row.username : ''))
    expect((await linked()).toSorted()).toEqual(['ana', 'ben', 'cleo'])

    await callOk(started, ENDPOINTS.unlinkMediaUser, ben, { params })
    await callOk(started, ENDPOINTS.unlinkMediaUser, ben, { params })
    expect((await linked()).toSorted()).toEqual(['ana', 'cleo'])
    await callOk(started, ENDPOINTS.removeMember, cleo, { params: { ...list, username: 'cleo' } })
    expect(await linked()).toEqual(['ana'])
    await callOk(started, ENDPOINTS.deleteMediaServer, ana, { params })

    expect([await linked(), await rowsOf('media_mark', list), await rowsOf('media_hook', list)]).toEqual([[], [], []])
    expect((await report(address, '{}')).statusCode).toBe(404)
  })

  test('members and strangers get the same 404 for all calls for links while media servers are switched off', async () => {
    const off = await startApp(theDatabase())
    onTestFinished(off.stop)
    const [ana, eve] = [aUser('ana'), aUser('eve')]
    const { watchlist } = await aWatchlist(off, { owner: ana, isPrivate: true })
    const params = { watchlistId: watchlist.id, serverId: 'none', username: 'ana' }
    const answersFor = async (by: Caller) => [
      await call(off, ENDPOINTS.listMediaLinks, by, { params }),
      await call(off, ENDPOINTS.beginQuickConnect, by, { params }),
      await call(off, ENDPOINTS.unlinkMediaUser, by, { params }),
      await call(off, ENDPOINTS.makeMediaHook, by, { params }),
    ]
    const answers = await answersFor(ana)
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await answersFor(eve)).map(({ body }) => body)).toEqual(answers.map(({ body }) => body))
    const report = { method: 'POST', url: `/api/media-reports/${watchlist.id}/none/none` } as const
    expect((await off.app.inject(report)).statusCode).toBe(404)
    expect(await rowsOf('media_hook', params)).toEqual([])
  })
})
