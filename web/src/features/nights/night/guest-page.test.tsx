import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { GuestPage } from './guest-page.tsx'
import { keepPass, keptPass } from './guest-pass.ts'

tidyUp()

const LATER = '2026-03-02T20:20:00.000Z'
const NIGHT = {
  id: 'n1',
  watchlistName: 'Friday film club',
  state: 'open',
  startsAt: LATER,
  timeZone: null,
  place: null,
  present: [],
  guests: [{ guestId: 'g1', nickname: 'Lea', since: LATER }],
}
const NO_VOTE = { vote: null, revealed: [], accepted: [], wasVetoed: false, vetoBudget: 2, vetoesLeft: 2 }
const page = <GuestPage code="NEWC0DE" username={undefined} onMember={() => undefined} />

test('a guest who scans a new code of their night can go back to it without joining again', async () => {
  keepPass({ token: 'a token', nightId: 'n1', guestId: 'g1', code: 'OLDC0DE' })
  const api = fakeApi({
    getNightAsGuest: () => NIGHT,
    findVote: () => NO_VOTE,
    nightEvents: () => new Refusal(401, 'UNAUTHORIZED', 'This pass is void'),
  })
  await renderPart(page)

  expect(await screen.findByText('You have joined Friday film club as Lea.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Join' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Back to the night' }))

  expect(await screen.findByText('Lea (you)')).toBeDefined()
  expect(api.callsOf('joinNight')).toEqual([])
})

test('the pass of an ended night offers no way back', async () => {
  keepPass({ token: 'a token', nightId: 'n1', guestId: 'g1', code: 'OLDC0DE' })
  const api = fakeApi({
    getNightAsGuest: () => new Refusal(401, 'UNAUTHORIZED', 'This pass is void'),
    findVote: () => new Refusal(401, 'UNAUTHORIZED', 'This pass is void'),
  })
  await renderPart(page)

  await screen.findByRole('button', { name: 'Join' })
  await expect.poll(() => api.callsOf('getNightAsGuest').length).toBeGreaterThan(0)
  expect(screen.queryByRole('button', { name: 'Back to the night' })).toBeNull()
})

const LOST: [string, () => Response][] = [
  [
    'no reply',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
  ['a proxy that replies', () => new Response('<html>', { status: 504 })],
  ['a reply that cannot be read', () => new Response('<html>')],
]

test.each(LOST)('a join with %s is retried with the same idempotency key', async (_what, lose) => {
  let isOffline = true
  const keys: (string | undefined)[] = []
  fakeApi({
    joinNight: ({ headers }) => {
      keys.push(headers['idempotency-key'])
      if (isOffline) return lose()
      return { token: 'a token', guest: NIGHT.guests[0], night: NIGHT }
    },
    getNightAsGuest: () => NIGHT,
    findVote: () => NO_VOTE,
    nightEvents: () => new Refusal(401, 'UNAUTHORIZED', 'This pass is void'),
  })
  await renderPart(page)
  await userEvent.type(screen.getByLabelText(/^Your name/u), 'Lea')
  await userEvent.click(screen.getByRole('button', { name: 'Join' }))
  await screen.findByText('You could not join.', undefined, { timeout: 20_000 })

  isOffline = false
  await userEvent.click(screen.getByRole('button', { name: 'Join' }))

  expect(await screen.findByText('Lea (you)')).toBeDefined()
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBeGreaterThan(1)
})

const JOINED = { token: 'a token', guest: NIGHT.guests[0], night: { ...NIGHT, id: 'w1_n1' } }
const WATCHLIST = {
  id: 'w1',
  name: 'Friday film club',
  description: null,
  ownerId: 'Ana',
  createdAt: LATER,
  updatedAt: LATER,
  hasImage: false,
  fullImageUrl: null,
  isPrivate: true,
  members: null,
}

/** Ben scans the code of a night. `watchlists` are his. The replies to the first claims are lost. */
async function joinAsBen(watchlists: object[], lostClaims = 0, lose = LOST[0]?.[1]) {
  let claims = 0
  const passes: (string | undefined)[] = []
  const api = fakeApi({
    joinNight: () => JOINED,
    listWatchlists: () => watchlists,
    claimNight: () => {
      claims += 1
      passes.push(keptPass()?.token)
      if (claims <= lostClaims) return lose?.()
      return { nightId: 'w1_n1', watchlistId: 'w1', isMember: true }
    },
    getNightAsGuest: () => JOINED.night,
    findVote: () => NO_VOTE,
    nightEvents: () => new Refusal(401, 'UNAUTHORIZED', 'This pass is void'),
  })
  const onMember = vi.fn<(watchlistId: string) => void>()
  await renderPart(<GuestPage code="NEWC0DE" username="ben" onMember={onMember} />)
  await userEvent.type(screen.getByLabelText(/^Your name/u), 'Lea')
  await userEvent.click(screen.getByRole('button', { name: 'Join' }))
  return { api, onMember, passes }
}

test('a member who is signed in and joins with the code comes to the night as a member', async () => {
  const { api, onMember } = await joinAsBen([WATCHLIST])

  await expect.poll(() => onMember.mock.calls).toEqual([['w1']])
  expect(api.callsOf('claimNight').map(({ request }) => request.body)).toEqual([{ token: 'a token' }])
  expect(keptPass()).toBeUndefined()
})

test('a member whose claim gets no answer claims again with the same pass, and comes to the night', async () => {
  const { onMember, passes } = await joinAsBen([WATCHLIST], 1)

  await expect.poll(() => onMember.mock.calls, { timeout: 10_000 }).toEqual([['w1']])
  expect(passes).toEqual(['a token', 'a token'])
})

test.each(LOST)('a member whose claims get %s can join again with the same key', async (what, lose) => {
  const { api, onMember } = await joinAsBen([WATCHLIST], what === 'a reply that cannot be read' ? 1 : 3, lose)
  await screen.findByText('You could not join.', undefined, { timeout: 20_000 })

  await userEvent.click(screen.getByRole('button', { name: 'Join' }))

  await expect.poll(() => onMember.mock.calls, { timeout: 10_000 }).toEqual([['w1']])
  const keys = api.callsOf('joinNight').map(({ request }) => request.headers['idempotency-key'])
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

/** Opens the page with a pass that is void, signed in. `claim` is the reply to a claim. */
async function openWithEndedPass(claim: object) {
  keepPass({ token: 'a token', nightId: 'w1_n1', guestId: 'g1', code: 'NEWC0DE' })
  const isVoid = () => new Refusal(401, 'UNAUTHORIZED', 'This pass is void')
  const api = fakeApi({ getNightAsGuest: isVoid, findVote: isVoid, nightEvents: isVoid, claimNight: () => claim })
  const onMember = vi.fn<(watchlistId: string) => void>()
  await renderPart(<GuestPage code="NEWC0DE" username="ben" onMember={onMember} />)
  return { claims: () => api.callsOf('claimNight').map(({ request }) => request.body), onMember }
}

test('a member whose pass was ended by a lost claim reaches the night after a reload', async () => {
  const { claims, onMember } = await openWithEndedPass({ nightId: 'w1_n1', watchlistId: 'w1', isMember: true })

  await expect.poll(() => onMember.mock.calls).toEqual([['w1']])
  expect([claims(), keptPass()]).toEqual([[{ token: 'a token' }], undefined])
})

test('a user whose pass others ended sees that they left', async () => {
  const { claims, onMember } = await openWithEndedPass(new Refusal(404, 'NOT_FOUND', 'Not yours'))

  await screen.findByText('You have left this movie night.')
  expect([claims(), onMember.mock.calls]).toEqual([[{ token: 'a token' }], []])
})

test('a user who is not a member joins as a guest under the name that they chose', async () => {
  const { api, onMember } = await joinAsBen([{ ...WATCHLIST, id: 'w2' }])

  expect(await screen.findByText('Lea (you)')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Save tonight' })).toBeDefined()
  expect([api.callsOf('claimNight'), onMember.mock.calls]).toEqual([[], []])
})

/** What the live region that was there from the start says. */
const announced = () => document.querySelector('output.sr-only')?.textContent

test.each(['open', 'ended'])(
  'a guest who saves an %s night to an account reads that it is saved, and hears it once',
  async (state) => {
    keepPass({ token: 'a token', nightId: 'n1', guestId: 'g1', code: 'NEWC0DE' })
    // The nickname of a guest does not say whether they have saved the night.
    const guests = state === 'open' ? [{ guestId: 'g1', nickname: 'ben', since: LATER }] : []
    fakeApi({
      getNightAsGuest: () => ({ ...NIGHT, state, guests }),
      findVote: () => NO_VOTE,
      claimNight: () => ({ nightId: 'n1', watchlistId: 'w1', isMember: false }),
      nightEvents: () => new Refusal(401, 'UNAUTHORIZED', 'This pass is void'),
    })
    const { unmount } = await renderPart(<GuestPage code="NEWC0DE" username="ben" onMember={() => undefined} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Save tonight' }))

    const saved = await screen.findByText('Tonight is saved to the account of ben.', { selector: 'p' })
    expect(screen.queryByRole('button', { name: 'Save tonight' })).toBeNull()
    await expect.poll(() => document.activeElement).toBe(saved)
    // A screen reader says what gets the focus.
    expect(announced()).toBe('')
    unmount()
    await renderPart(<GuestPage code="NEWC0DE" username="ben" onMember={() => undefined} />)

    expect(await screen.findByText('Tonight is saved to the account of ben.')).toBeDefined()
  },
)

test('a guest whose ballot arrives after the end of the vote sees that it was not saved', async () => {
  keepPass({ token: 'a token', nightId: 'n1', guestId: 'g1', code: 'NEWC0DE' })
  const open = {
    drawNumber: 1,
    openedAt: LATER,
    closedAt: null,
    present: 1,
    voted: 0,
    cards: [{ cardId: 'c1', title: 'Alien', film: null, total: null, isVetoed: null }],
    winner: null,
    ballot: null,
  }
  let vote: object = open
  fakeApi({
    getNightAsGuest: () => NIGHT,
    findVote: () => ({ ...NO_VOTE, vote }),
    castBallot: () => {
      vote = { ...open, closedAt: LATER, winner: 'c1' }
      return new Refusal(400, 'BAD_REQUEST', 'No vote is open')
    },
    nightEvents: () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
  })
  await renderPart(page)
  await userEvent.click(await screen.findByRole('button', { name: 'Love it' }))

  await userEvent.click(screen.getByRole('button', { name: 'Vote' }))

  await screen.findByRole('heading', { name: 'Alien wins' })
  expect(await screen.findByText('Your vote was not saved.', { exact: false })).toBeTruthy()
})
