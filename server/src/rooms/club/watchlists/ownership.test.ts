import { beforeEach, describe, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import type { Tables } from '../../../tables.ts'
import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'

eachStatement<Tables>({ product: productMigrations }, (theDatabase) => {
  const bus = recordingBus()
  const theApp = anApp(() => theDatabase().withTables(), { bus })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('Ben Ö')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] }))
  })

  const params = () => ({ watchlistId: watchlist.id })
  const setPrivate = async (isPrivate: unknown, by = ana) =>
    await call(theApp(), ENDPOINTS.setWatchlistPrivacy, by, { params: params(), body: { isPrivate } })
  const handOver = async (username: string, by = ana) =>
    await call(theApp(), ENDPOINTS.handOverWatchlist, by, { params: params(), body: { username } })
  const remove = async (by = ana) => await call(theApp(), ENDPOINTS.deleteWatchlist, by, { params: params() })

  describe('a watchlist that is made private', () => {
    test('a private watchlist is found only by its members until it is public again', async () => {
      const stranger = aUser('eve')
      const look = async (by: Caller) => (await call(theApp(), ENDPOINTS.getWatchlist, by, { params: params() })).status

      const made = await setPrivate(true)
      const whilePrivate = [await look(stranger), await look(ben), await look(ana)]
      const unmade = await setPrivate(false)

      expect([made.body.isPrivate, unmade.body.isPrivate]).toEqual([true, false])
      expect(whilePrivate).toEqual([404, 200, 200])
      expect(await look(stranger)).toBe(200)
      expect(bus.kindsFor(watchlist.id)).toEqual(['watchlist-changed', 'watchlist-changed'])
    })

    test.each(['true', 1, null, undefined])(
      'the privacy of a watchlist cannot be set to %j, which is not a boolean',
      async (isPrivate) => {
        const { status, body } = await setPrivate(isPrivate)

        expect(status).toBe(400)
        expect(body.message).toMatch(/^isPrivate: /u)
      },
    )
  })

  describe('a watchlist that is handed over', () => {
    test('a handover ignores the case of the new owner’s name, and the former owner can then leave', async () => {
      const { status, body } = await handOver(' BEN ö ')

      expect(status).toBe(200)
      expect(body.ownerId).toBe('Ben Ö')
      expect(body.members?.map(({ username }) => username)).toEqual(['ana', 'Ben Ö'])
      expect((await setPrivate(true)).status).toBe(403)
      expect((await setPrivate(true, ben)).status).toBe(200)
      const leave = { params: { ...params(), username: 'ana' } }
      expect((await call(theApp(), ENDPOINTS.removeMember, ana, leave)).status).toBe(204)
    })

    test.each(['unknown', 'eve'])(
      'a watchlist cannot be handed over to %s, who is not a member of it',
      async (username) => {
        aUser('eve')

        const { status, body } = await handOver(username)

        expect(status).toBe(400)
        expect(body.message).toBe('username: Only a member can become the owner, and there is no member of this name')
        expect((await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params: params() })).ownerId).toBe('ana')
      },
    )

    test(
      'a watchlist has a member as its owner even if the new owner leaves during the handover',
      { tags: ['race'] },
      async () => {
        for (let round = 0; round < 10; round += 1) {
          ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] }))
          const leave = { params: { ...params(), username: ben.username } }

          const [given, left] = await Promise.all([
            handOver(ben.username),
            call(theApp(), ENDPOINTS.removeMember, ben, leave),
          ])

          expect([
            [200, 400],
            [400, 204],
          ]).toContainEqual([given.status, left.status])
          const { ownerId, members } = await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params: params() })
          expect(members?.map(({ username }) => username)).toContain(ownerId)
        }
      },
    )

    test(
      'one of two simultaneous handovers succeeds, and the other one is rejected with 403',
      { tags: ['race'] },
      async () => {
        const cleo = aUser('cleo')
        ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] }))

        const answers = await Promise.all([handOver('Ben Ö'), handOver('cleo')])

        expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403'])
      },
    )
  })

  describe('a watchlist that is deleted', () => {
    test('a deleted watchlist is no longer found, and none of its rows are left', async () => {
      const card = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED' })
      await aCard(theApp(), { inside: watchlist, by: ben })
      const inCard = { ...params(), cardId: card.id }
      await callOk(theApp(), ENDPOINTS.addComment, ben, { params: inCard, body: { content: 'Tonight!' } })
      const cleo = aUser('cleo')
      await callOk(theApp(), ENDPOINTS.inviteUser, ben, { params: params(), body: { username: 'cleo' } })

      const { status } = await remove()

      expect(status).toBe(204)
      await vi.waitFor(async () => {
        expect(await rowsLeft()).toEqual([])
      }, WITHIN)
      for (const member of [ana, ben]) {
        expect(await callOk(theApp(), ENDPOINTS.listWatchlists, member)).toEqual([])
        expect(await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, member)).toEqual({ currentWatchlistId: null })
        expect((await call(theApp(), ENDPOINTS.getWatchlist, member, { params: params() })).status).toBe(404)
      }
      expect(await callOk(theApp(), ENDPOINTS.listReceivedInvitations, cleo)).toEqual([])
      expect(bus.kindsFor(watchlist.id).at(-1)).toBe('watchlist-deleted')
      expect((await remove()).status).toBe(404)
    })

    test('a watchlist that is deleted while other members write leaves no row', { tags: ['race'] }, async () => {
      const write = async () =>
        await call(theApp(), ENDPOINTS.addCard, ben, {
          params: params(),
          body: { title: 'Stalker', image: 'https://example.org/stalker.jpg' },
        })

      const [deleted, ...written] = await Promise.all([remove(), ...Array.from({ length: 10 }, write)])

      expect(deleted.status).toBe(204)
      expect(written.every(({ status }) => status === 201 || status === 404 || status === 403)).toBe(true)
      await vi.waitFor(async () => {
        expect(await rowsLeft()).toEqual([])
      }, WITHIN)
    })

    test('deleting a watchlist does not change other watchlists of its members', async () => {
      const { watchlist: other } = await aWatchlist(theApp(), { owner: ben, members: [ana] })
      await callOk(theApp(), ENDPOINTS.setCurrentWatchlist, ben, { body: { watchlistId: other.id } })

      await remove()

      expect((await callOk(theApp(), ENDPOINTS.listWatchlists, ana)).map(({ id }) => id)).toEqual([other.id])
      expect(await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, ben)).toEqual({ currentWatchlistId: other.id })
    })
  })

  /** The tables that still have rows of the watchlist. */
  async function rowsLeft(): Promise<string[]> {
    const left: string[] = []
    const tables = ['member', 'person_watchlist', 'card', 'status_change', 'comment', 'invitation'] as const
    for (const table of tables) {
      const row = await theDatabase()
        .read.selectFrom(table)
        .select('watchlist_id')
        .where('watchlist_id', '=', watchlist.id)
        .executeTakeFirst()
      if (row) left.push(table)
    }
    return left
  }
})
