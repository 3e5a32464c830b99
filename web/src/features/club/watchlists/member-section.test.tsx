import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aProfile, aProfileWithAvatar, aWatchlist } from '#web/testing/samples.ts'

import { MemberNames } from './member-list.tsx'
import { MemberSection } from './member-section.tsx'
import { watchlistDetail } from './queries.ts'

tidyUp()

const ANA_ALONE = { members: aWatchlist().members?.slice(0, 1) ?? [] }

function Section({ isOwner }: { isOwner: boolean }) {
  const { data } = useQuery(watchlistDetail('w1', useQueryClient()))
  if (data === undefined) return null
  return <MemberSection watchlist={data} username="Ana" isOwner={isOwner} />
}

async function openSection({ isOwner = true, ...answers }: FakeAnswers & { isOwner?: boolean } = {}) {
  const api = fakeApi({
    getWatchlist: () => aWatchlist(),
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
    ...answers,
  })
  const { client } = await renderPart(<Section isOwner={isOwner} />)
  await screen.findByRole('heading', { name: 'Members' })
  return { ...api, client }
}

async function chooseFor(name: string, action: string) {
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(screen.getByRole('menuitem', { name: action }))
}

const rowOf = (name: string) =>
  screen.getAllByRole('listitem').find((row) => within(row).queryByText(name, { exact: false }) !== null)

test('a member is shown with an avatar or the first letter of the name', async () => {
  await openSection({
    getProfile: ({ params: { username = '' } }) =>
      username === 'Ben' ? aProfileWithAvatar('Ben') : aProfile(username),
  })

  await waitFor(() => expect(rowOf('Ben')?.querySelector('img')?.getAttribute('src')).toBe('/images/Ben.webp'))
  expect(rowOf('Ana')?.textContent).toMatch(/^AAna/u)
})

test('a member who is not the owner sees no member menus', async () => {
  await openSection({ isOwner: false })

  expect(screen.queryAllByRole('button')).toEqual([])
})

test('the owner has a menu for each other member', async () => {
  await openSection()

  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Actions for Ben'])
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Ben' }))
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Make Ben the owner', 'Remove Ben'])
})

// Evidence: wcag-3.3.4
test('a member is removed after a confirmation, and the focus stays with the members', async () => {
  let watchlist: Watchlist = aWatchlist()
  const api = await openSection({
    getWatchlist: () => watchlist,
    removeMember: () => void (watchlist = aWatchlist('w1', ANA_ALONE)),
  })

  await chooseFor('Ben', 'Remove Ben')
  const dialog = screen.getByRole('dialog', { name: 'Remove Ben?' })
  expect(dialog.textContent).toContain('Their movies and comments stay.')
  expect(api.callsOf('removeMember')).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }))

  expect((await screen.findByRole('status')).textContent).toBe('Ben is no longer a member.')
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(api.callsOf('removeMember').map(({ request }) => request.params)).toEqual([
    { watchlistId: 'w1', username: 'Ben' },
  ])
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Members' })))
})

test('a cancelled removal keeps the member', async () => {
  const api = await openSection()

  await chooseFor('Ben', 'Remove Ben')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))

  expect(screen.queryByRole('dialog')).toBeNull()
  expect(api.callsOf('removeMember')).toEqual([])
})

test('a failed removal is shown in its dialog, and the error is gone when the dialog reopens', async () => {
  await openSection({ removeMember: () => new Refusal(400, 'BAD_REQUEST', 'The owner stays') })

  await chooseFor('Ben', 'Remove Ben')
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The member could not be removed. Please try again.The owner stays',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await chooseFor('Ben', 'Remove Ben')

  expect(screen.queryByRole('alert')).toBeNull()
})

test('a watchlist is handed over after a confirmation', async () => {
  const api = await openSection({ handOverWatchlist: ({ body }) => aWatchlist('w1', { ownerId: usernameOf(body) }) })

  await chooseFor('Ben', 'Make Ben the owner')
  expect(api.callsOf('handOverWatchlist')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Hand over' }))

  expect((await screen.findByRole('status')).textContent).toBe('Ben is the owner now.')
  expect(rowOf('Ben')?.textContent).toContain('Owner')
  expect(api.callsOf('handOverWatchlist')[0]?.request.body).toEqual({ username: 'Ben' })
})

function usernameOf(body: unknown): string {
  return (body as { username: string }).username
}

const MANY = Array.from({ length: 200 }, (_, index) => ({
  username: `Person ${200 - index}`,
  joinedAt: '2026-03-01T18:00:00.000Z',
}))

const TWELVE = MANY.slice(0, 12)

test('a long list shows twelve members first, then more on each press, with the focus on the first new one', async () => {
  await openSection({ isOwner: false, getWatchlist: () => aWatchlist('w1', { members: MANY }) })
  expect(screen.getAllByRole('listitem')).toHaveLength(12)
  expect(rowOf('Person 1')?.textContent).toBe('PPerson 1 Member since Mar 1, 2026')

  await userEvent.click(screen.getByRole('button', { name: 'Show more members' }))

  expect(screen.getAllByRole('listitem')).toHaveLength(36)
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('listitem')[12]))
})

test('many members can be searched by name', async () => {
  await openSection({ isOwner: false, getWatchlist: () => aWatchlist('w1', { members: MANY }) })

  await userEvent.type(screen.getByRole('searchbox', { name: 'Search members' }), 'person 117')

  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search members' }), '9')
  expect(screen.getByText('No member has this name.')).toBeTruthy()
})

test('a search keeps its text when a member leaves and few members remain', async () => {
  let members = TWELVE
  const { client } = await openSection({ isOwner: false, getWatchlist: () => aWatchlist('w1', { members }) })
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search members' }), 'person 200')
  expect(screen.getAllByRole('listitem')).toHaveLength(1)

  members = TWELVE.slice(1)
  await act(async () => client.invalidateQueries())

  await screen.findByText('No member has this name.')
  await userEvent.clear(screen.getByRole('searchbox', { name: 'Search members' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(11)
})

test('the panel shows twelve of many members and links to all of them', async () => {
  fakeApi({ getProfile: ({ params }) => aProfile(params['username'] ?? '') })
  await renderPart(<MemberNames watchlist={aWatchlist('w1', { members: MANY })} username="Person 1" isMember />)

  expect(screen.getAllByRole('listitem')).toHaveLength(12)
  expect(screen.getByRole('link', { name: 'Show all 200 members' }).getAttribute('href')).toBe('/watchlists/w1/club')
})

test.each([
  [11, false],
  [12, true],
])('a list of %i members has a search field: %s', async (length, hasSearch) => {
  const members = Array.from({ length }, (_, index) => ({
    username: `Person ${index}`,
    joinedAt: '2026-03-01T18:00:00.000Z',
  }))
  await openSection({ isOwner: false, getWatchlist: () => aWatchlist('w1', { members }) })

  expect(screen.queryByRole('searchbox') !== null).toBe(hasSearch)
})
