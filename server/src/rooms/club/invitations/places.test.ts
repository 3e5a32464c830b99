import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { INVITATION_VALID_DAYS, MAX_MEMBERS_PER_WATCHLIST, MAX_WATCHLISTS_PER_USER } from '@marquee/contract/limits'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp } from '../../../testing/start-app.ts'

const NO_PLACE = 'A watchlist cannot have more than 100 members, including those who are invited'

eachStatement({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const theApp = anApp(theDatabase, { clock })

  async function almostFull({ free }: { free: number }) {
    const others = MAX_MEMBERS_PER_WATCHLIST - 1 - free
    const members = Array.from({ length: others }, (_, n) => aUser(`member ${n}`))
    const { watchlist, owner } = await aWatchlist(theApp(), { members })
    const invite = async ({ username }: Caller) =>
      await call(theApp(), ENDPOINTS.inviteUser, owner, { params: { watchlistId: watchlist.id }, body: { username } })
    return { watchlist, owner, members, invite }
  }

  // Evidence: asvs-2.3.2, asvs-2.3.4
  test(
    'no more users can be invited than there are free places, not even by concurrent calls',
    { tags: ['race'] },
    async () => {
      const { invite } = await almostFull({ free: 3 })
      const people = Array.from({ length: 8 }, (_, n) => aUser(`person ${n}`))

      const answers = await Promise.all(people.map(invite))

      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
      expect(answers.flatMap(({ status, body }) => (status === 201 ? [] : [body.message]))).toEqual(
        Array.from({ length: 5 }, () => NO_PLACE),
      )
    },
  )

  test('renewing a pending invitation takes no further place', async () => {
    const { invite } = await almostFull({ free: 1 })
    const cleo = aUser('cleo')
    await invite(cleo)

    const again = await invite(cleo)

    expect(again.status).toBe(201)
    expect((await invite(aUser('dora'))).status).toBe(400)
  })

  test('an expired invitation frees its place', async () => {
    const { invite } = await almostFull({ free: 1 })
    await invite(aUser('late'))
    clock.moveAhead(INVITATION_VALID_DAYS * 24 * 60 * 60_000)

    const { status } = await invite(aUser('next'))

    expect(status).toBe(201)
  })

  test('a member who leaves frees a place', async () => {
    const { invite, members, watchlist } = await almostFull({ free: 0 })
    const [leaving] = members
    const full = await invite(aUser('next'))
    const params = { watchlistId: watchlist.id, username: 'member 0' }

    await callOk(theApp(), ENDPOINTS.removeMember, leaving ?? aUser(), { params })

    expect([full.status, (await invite(aUser('next'))).status]).toEqual([400, 201])
  })

  test('a user with the maximum number of watchlists can be invited, but cannot join', async () => {
    const eager = aUser('eager')
    const make = async () => await callOk(theApp(), ENDPOINTS.createWatchlist, eager, { body: { name: 'One more' } })
    for (let n = 0; n < MAX_WATCHLISTS_PER_USER; n += 1) await make()
    const { invite, watchlist } = await almostFull({ free: 1 })
    const { body: invitation } = await invite(eager)

    const { status, body } = await call(theApp(), ENDPOINTS.acceptInvitation, eager, {
      body: { token: invitation.token },
    })

    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'You cannot have more than 200 watchlists',
    })
    expect((await callOk(theApp(), ENDPOINTS.listReceivedInvitations, eager)).map((one) => one.watchlistId)).toEqual([
      watchlist.id,
    ])
  })
})
