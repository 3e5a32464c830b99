import type { Night } from '@marquee/contract/entities/night'
import type { NightVote, NightVoteState } from '@marquee/contract/entities/vote'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'

import '#web/i18n/night-texts.ts'
import { SessionContext } from '#web/session/use-session.ts'
import { fakeApi, type FakeAnswers, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { aSession } from '#web/testing/open-app.tsx'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, anOpenNight, aProfile, drawing } from '#web/testing/samples.ts'
import { LiveRegion } from '#web/ui/live-region.tsx'

import { OpenNight } from './open-night.tsx'

tidyUp()
afterEach(() => sessionStorage.clear())

const film = {
  imageUrl: 'https://posters.test/alien.jpg',
  movie: undefined,
  description: null,
  status: 'REVEALED',
  statusChangedAt: '2026-03-02T20:20:00.000Z',
} as const
const ALIEN = { cardId: 'c1', title: 'Alien', film }
const BRAZIL = { cardId: 'c2', title: 'Brazil', film }
const NOTHING: NightVoteState = {
  vote: null,
  revealed: [],
  accepted: [],
  wasVetoed: false,
  vetoBudget: 2,
  vetoesLeft: 2,
}
const OPEN: NightVote = {
  drawNumber: 1,
  openedAt: '2026-03-02T20:20:00.000Z',
  closedAt: null,
  present: 2,
  voted: 0,
  cards: [{ cardId: 'c1', title: 'Alien', film, total: null, isVetoed: null }],
  winner: null,
  ballot: null,
}
const CLOSED: NightVote = { ...OPEN, closedAt: '2026-03-02T20:25:00.000Z', voted: 2, winner: 'c1' }

/** An open night of Ana and Ben, as Ben sees it. `become` is what happens there. */
async function show(answers: FakeAnswers = {}, changes: Partial<Night> = {}) {
  const stream = aLiveStream()
  let state = NOTHING
  const api = fakeApi({
    watchlistEvents: () => stream.response,
    findVote: () => state,
    listScreens: () => ({ screens: [] }),
    listCards: () => ({ cards: [], nextToken: null }),
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
    getDrawOdds: () => ({ rule: 'cards', rest: 0, eligible: 4, resting: 0, people: [] }),
    ...answers,
  })
  const night = anOpenNight('w1', ['Ana', 'Ben'], changes)
  const session = aSession({ userId: 'ben', username: 'Ben', loginId: 'ben' })
  await session.refresh()
  const { unmount: leave } = await renderPart(
    <SessionContext value={session}>
      <LiveRegion />
      <OpenNight night={night} username="Ben" isOwner={false} />
    </SessionContext>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Choose a movie' }))
  screen.getByRole('heading', { name: 'What would you like to watch?' })
  return {
    leave,
    reads: () => api.callsOf('findVote').length,
    become: (next: Partial<NightVoteState>) => {
      state = { ...NOTHING, ...next }
      stream.tell({ kind: 'nights-changed', watchlistId: 'w1' })
    },
  }
}

/** What screen readers said last. */
const said = () => screen.getAllByRole('status')[0]?.textContent

const isDrawing = () => screen.queryByRole('heading', { name: 'What would you like to watch?' }) !== null

test('a movie drawn on another device replaces the draw form, which does not come back', async () => {
  const { become } = await show()

  become({ revealed: [ALIEN] })
  await screen.findByRole('heading', { name: 'Alien' })
  expect(isDrawing()).toBe(false)

  become({})
  await screen.findByRole('heading', { name: 'Who is here?' })
  expect(isDrawing()).toBe(false)
})

test('a decision about an earlier movie leaves the draw form open', async () => {
  const { become, reads } = await show()
  become({ revealed: [ALIEN] })
  await screen.findByRole('heading', { name: 'Alien' })
  await userEvent.click(screen.getByRole('button', { name: 'Draw another movie' }))
  await userEvent.type(screen.getByLabelText('Maximum length (minutes)'), '90')

  const before = reads()
  become({})
  await waitFor(() => expect(reads()).toBe(before + 1))
  become({})
  await waitFor(() => expect(reads()).toBe(before + 2))

  expect(screen.getByLabelText<HTMLInputElement>('Maximum length (minutes)').value).toBe('90')
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  await screen.findByRole('heading', { name: 'Who is here?' })
})

test('a vote that opens before the reply of its draw arrives ends with its result', async () => {
  const { promise: reply, resolve: answer } = Promise.withResolvers<void>()
  const state = { ...NOTHING, vote: OPEN }
  const { become } = await show({
    ...drawing(aCard('c1')),
    openVote: async () => {
      become({ vote: OPEN })
      await reply
      return state
    },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Draw a shortlist' }))
  await screen.findByRole('heading', { name: 'Vote on the shortlist' })
  answer()

  become({ vote: CLOSED, revealed: [ALIEN] })

  await screen.findByRole('heading', { name: 'Alien wins' })
  expect(isDrawing()).toBe(false)
})

test('each step of a night is announced, and the focus moves to it if the focused control disappears', async () => {
  const { become } = await show()
  screen.getByRole('button', { name: 'Draw a movie' }).focus()

  become({ vote: OPEN })
  await waitFor(() => expect(said()).toBe('Vote on the shortlist'))
  const steps = document.activeElement
  expect(steps?.contains(screen.getByRole('heading', { name: 'Vote on the shortlist' }))).toBe(true)
  expect(steps).not.toBe(document.body)

  screen.getByRole('button', { name: 'Love it' }).focus()
  become({ vote: CLOSED, revealed: [ALIEN] })
  await waitFor(() => expect(said()).toBe('Alien wins'))
  expect(document.activeElement).toBe(steps)

  screen.getByRole('button', { name: 'Accept' }).focus()
  become({ vote: CLOSED, wasVetoed: true })
  await waitFor(() => expect(said()).toBe('Someone used a veto. The movie is back in the box.'))
  expect(document.activeElement).toBe(steps)

  const options = screen.getByRole('button', { name: 'Options' })
  options.focus()
  become({ vote: CLOSED, revealed: [BRAZIL] })
  await waitFor(() => expect(said()).toBe('Drawn: Brazil'))
  expect(document.activeElement).toBe(options)

  become({ vote: CLOSED, accepted: [BRAZIL] })
  await waitFor(() => expect(said()).toBe('Enjoy the movie!'))
})

test('a ballot that arrives too late is reported as not saved, and the message ends with the next vote', async () => {
  let end = () => {}
  const { become } = await show({
    castBallot: () => {
      end()
      return new Refusal(400, 'BAD_REQUEST', 'No vote is open')
    },
  })
  end = () => become({ vote: CLOSED })
  become({ vote: OPEN })
  await userEvent.click(await screen.findByRole('button', { name: 'Love it' }))

  await userEvent.click(screen.getByRole('button', { name: 'Vote' }))

  await screen.findByRole('heading', { name: 'Alien wins' })
  expect(await screen.findByText('Your vote was not saved.', { exact: false })).toBeTruthy()
  become({ vote: { ...OPEN, drawNumber: 2 } })
  await screen.findByRole('heading', { name: 'Vote on the shortlist' })
  await userEvent.click(screen.getByRole('button', { name: 'Love it' }))
  expect(screen.queryByText('Your vote was not saved.', { exact: false })).toBeNull()
})

test('the next draw starts with the size and genres of the last one, even at the next night', async () => {
  const first = await show({}, { maxRuntimeMinutes: 120 })
  const genres = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Without these genres' })
  const field = (label: string) => screen.getByLabelText<HTMLInputElement | HTMLSelectElement>(label)
  const values = () => [field('Shortlist size'), genres(), field('Maximum length (minutes)')].map(({ value }) => value)
  const open = async () => userEvent.click(screen.getByRole('button', { name: 'More filters' }))
  await open()
  await userEvent.selectOptions(screen.getByLabelText('Shortlist size'), '7')
  await userEvent.type(genres(), 'Horror')
  await userEvent.clear(screen.getByLabelText('Maximum length (minutes)'))
  await userEvent.type(screen.getByLabelText('Maximum length (minutes)'), '90')
  first.become({ revealed: [ALIEN] })
  await userEvent.click(await screen.findByRole('button', { name: 'Draw another movie' }))
  await open()
  expect(values()).toEqual(['7', 'Horror', '90'])
  first.leave()

  const second = await show({}, { maxRuntimeMinutes: 120 })
  await open()
  expect(values()).toEqual(['7', 'Horror', '90'])
  second.leave()

  await show({}, { id: 'w1_00000000-0000-4000-8000-000000000001', maxRuntimeMinutes: 150 })
  await open()
  expect(values()).toEqual(['7', 'Horror', '150'])
})
