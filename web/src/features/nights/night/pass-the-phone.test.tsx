import type { Night } from '@marquee/contract/entities/night'
import type { Ballot } from '@marquee/contract/entities/vote'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useQuery } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'

import '#web/i18n/night-texts.ts'
import { SessionContext } from '#web/session/use-session.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { aSession } from '#web/testing/open-app.tsx'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { anOpenNight, aProfile } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'

import { nightList } from './night-list.ts'
import { OpenNight } from './open-night.tsx'

tidyUp()
afterEach(() => sessionStorage.clear())

const SINCE = '2026-03-02T20:14:00.000Z'
const BENS: Ballot = { scores: { c1: 2 }, veto: null }

/**
 * A server with an open vote on one movie, on which Ben has voted. Ballots are by token; Ben's is that of his session. It lets Max in
 * after `maxIsIn`.
 */
function aVote(maxIsIn = Promise.resolve()) {
  const night: Night = anOpenNight('w1', ['Ana', 'Ben'])
  const ballots = new Map<string, Ballot>([['token', BENS]])
  let isClosed = false
  const state = (token: string) => ({
    vote: {
      drawNumber: 7,
      openedAt: SINCE,
      closedAt: isClosed ? SINCE : null,
      present: 2 + night.guests.length,
      voted: ballots.size,
      cards: [{ cardId: 'c1', title: 'Alphaville', total: null, isVetoed: null }],
      winner: isClosed ? 'c1' : null,
      ballot: ballots.get(token) ?? null,
    },
    vetoBudget: 2,
    revealed: [],
    wasVetoed: false,
    vetoesLeft: token === 'token' ? 0 : 1,
  })
  const tokenOf = (headers: Record<string, string>) => headers['authorization']?.replace('Bearer ', '') ?? ''
  const api = fakeApi({
    watchlistEvents: () => aLiveStream().response,
    listNights: () => ({ nights: [structuredClone(night)], unrated: [] }),
    findVote: ({ headers }) => state(tokenOf(headers)),
    castBallot: ({ headers, body }) => {
      if (isClosed) return new Refusal(400, 'BAD_REQUEST', 'No vote is open')
      const { scores, veto } = body as Ballot
      ballots.set(tokenOf(headers), { scores, veto })
      return state(tokenOf(headers))
    },
    addGuest: async ({ body }) => {
      const { nickname } = body as { nickname: string }
      if (nickname === 'Max') await maxIsIn
      const guest = { guestId: `guest-${nickname}`, nickname, since: SINCE }
      night.guests.push(guest)
      const asGuest = {
        id: night.id,
        watchlistName: 'Club',
        state: 'open',
        startsAt: SINCE,
        timeZone: null,
        place: null,
      }
      return { token: `mqn_${nickname}`, guest, night: { ...asGuest, present: night.present, guests: night.guests } }
    },
    listScreens: () => ({ screens: [] }),
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
  })
  const close = () => {
    isClosed = true
  }
  return { api, ballots, night, close }
}

function Page() {
  const { data } = useQuery(nightList('w1'))
  const [night] = data?.nights ?? []
  return night && <OpenNight night={night} username="Ben" isOwner={false} />
}

/** Opens the night as Ben, as after a reload. */
async function open() {
  const session = aSession({ userId: 'ben', username: 'Ben', loginId: 'ben' })
  await session.refresh()
  const { unmount } = await renderPart(
    <SessionContext value={session}>
      <Page />
    </SessionContext>,
  )
  return unmount
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const page = async (name: string) => screen.findByRole('dialog', { name })

async function addGuests(...names: string[]) {
  await press('Pass the phone')
  for (const name of names) {
    await userEvent.type(screen.getByLabelText('Name'), `${name}{Enter}`)
    await within(await page('Pass the phone')).findByText(name)
  }
}

async function vote(score: string) {
  const form = await page('Vote on the shortlist')
  await userEvent.click(within(form).getByRole('button', { name: score }))
  await userEvent.click(within(form).getByRole('button', { name: 'Vote' }))
}

test('the phone asks each guest in turn, hides the previous answers, and returns to its user', async () => {
  const { api, ballots } = aVote()
  await open()
  await addGuests('Lea', 'Max')
  await press('Start')

  const toLea = await page('Give the phone to Lea')
  expect(within(toLea).queryByText('Alphaville')).toBeNull()
  await press('I’m Lea')
  await vote('Rather not')

  await page('Give the phone to Max')
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  await press('I’m Max')
  const form = await page('Vote on the shortlist')
  expect(within(form).queryAllByRole('button', { pressed: true })).toEqual([])
  expect(within(form).getByText('You have 1 veto tonight.')).toBeTruthy()
  await vote('Love it')

  await page('Give the phone back to Ben')
  expect([...ballots]).toEqual([
    ['token', { scores: { c1: 2 }, veto: null }],
    ['mqn_Lea', { scores: { c1: 0 }, veto: null }],
    ['mqn_Max', { scores: { c1: 2 }, veto: null }],
  ])
  await press('I’m Ben')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(api.callsOf('castBallot')).toHaveLength(2)
})

test('a reload asks only the guests who have not voted', async () => {
  const { night } = aVote()
  const reload = await open()
  await addGuests('Lea', 'Max')
  await press('Start')
  await press('I’m Lea')
  await vote('Love it')
  await page('Give the phone to Max')
  reload()

  await open()
  await page('Give the phone to Max')
  await press('Stop')
  await press('I’m Ben')
  await press('Pass the phone')
  await within(await page('Pass the phone')).findByText('Lea has voted')
  await press('Start')
  await press('I’m Max')
  await vote('Fine')
  await page('Give the phone back to Ben')
  expect(night.guests.map(({ nickname }) => nickname)).toEqual(['Lea', 'Max'])
})

test('a guest who is added during a vote does not interrupt it, and is asked next', async () => {
  const { promise, resolve: letMaxIn } = Promise.withResolvers<void>()
  const { night } = aVote(promise)
  await open()
  await addGuests('Lea')
  await userEvent.type(screen.getByLabelText('Name'), 'Max{Enter}')
  await press('Start')
  await press('I’m Lea')
  const form = await page('Vote on the shortlist')
  await userEvent.click(within(form).getByRole('button', { name: 'Love it' }))

  letMaxIn()
  await waitFor(() => expect(night.guests).toHaveLength(2), WITHIN)
  await screen.findByLabelText('Remove Max', undefined, WITHIN)

  expect(within(await page('Vote on the shortlist')).getByText('Love it')).toBeTruthy()
  await press('Vote')
  expect(await page('Give the phone to Max')).toBeTruthy()
})

test('a removed guest is not asked', async () => {
  const { night } = aVote()
  const reload = await open()
  await addGuests('Lea', 'Max')
  reload()
  night.guests.shift()

  await open()
  await press('Pass the phone')
  await waitFor(() => expect(screen.queryByText('Lea')).toBeNull())
  await press('Start')
  await page('Give the phone to Max')
})

test('a guest’s ballot that arrives after the end of the vote is reported as not saved', async () => {
  const { close } = aVote()
  await open()
  await addGuests('Lea')
  await press('Start')
  await press('I’m Lea')
  close()
  await vote('Love it')

  await screen.findByRole('heading', { name: 'Alphaville wins' })
  expect(screen.getByRole('alert').textContent).toBe('The vote of Lea was not saved.No vote is open')
})
