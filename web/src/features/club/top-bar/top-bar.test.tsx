import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { TopBar } from './top-bar.tsx'

tidyUp()

const WATCHLISTS = [aWatchlist('w1'), aWatchlist('w2')]

async function openBar({ currentId = 'w1', username = 'ana' }: { currentId?: string | null; username?: string } = {}) {
  const done: string[] = []
  await renderPart(
    <TopBar
      watchlists={currentId === null ? [] : WATCHLISTS}
      currentId={currentId}
      onSwitch={(id) => done.push(`switch to ${id}`)}
      username={username}
      loginId="zoe@example.org"
      onSignOut={() => done.push('sign out')}
    />,
  )
  return done
}

test('the switcher shows the current watchlist and lists all of them, with the current one marked', async () => {
  await openBar({ currentId: 'w2' })

  await userEvent.click(screen.getByRole('button', { name: 'Watchlist w2, switch watchlist' }))

  const entries = screen.getAllByRole('menuitem')
  expect(entries.map(({ textContent }) => textContent)).toEqual([
    'Watchlist w1',
    'Watchlist w2',
    'Manage watchlists',
    'Create new',
  ])
  expect(entries.map((entry) => entry.getAttribute('aria-current'))).toEqual([null, 'true', null, null])
})

test('the switcher opens another watchlist', async () => {
  const done = await openBar()

  await userEvent.click(screen.getByRole('button', { name: /switch watchlist/u }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Watchlist w2' }))

  expect(done).toEqual(['switch to w2'])
})

test('a user without a watchlist can create one from the switcher', async () => {
  await openBar({ currentId: null })

  await userEvent.click(screen.getByRole('button', { name: 'Watchlists, switch watchlist' }))

  expect(screen.getByRole<HTMLAnchorElement>('menuitem', { name: 'Create new' }).pathname).toBe('/watchlists/create')
})

test('the account menu links to watchlists, profile and password, and signs out', async () => {
  const done = await openBar()

  await userEvent.click(screen.getByRole('button', { name: 'Account of ana' }))
  const links = ['Manage watchlists', 'Edit profile', 'Change password'].map(
    (name) => screen.getByRole<HTMLAnchorElement>('menuitem', { name }).pathname,
  )
  await userEvent.click(screen.getByRole('menuitem', { name: 'Sign out' }))

  expect(links).toEqual(['/watchlists', '/profile/edit', '/account/change-password'])
  expect(done).toEqual(['sign out'])
})

test.each([
  ['ana', 'A'],
  ['', 'Z'],
])('the avatar of the user %j is the letter %s, from the username or the login id', async (username, letter) => {
  await openBar({ username })

  expect(screen.getByRole('button', { name: /^Account of/u }).textContent).toBe(letter)
})

test('a theme chosen in the account menu is applied and marked', async () => {
  await openBar()

  await userEvent.click(screen.getByRole('button', { name: /^Account of/u }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Light' }))
  await userEvent.click(screen.getByRole('button', { name: /^Account of/u }))

  expect(document.documentElement.dataset['theme']).toBe('light')
  expect(screen.getByRole('menuitem', { name: 'Light' }).getAttribute('aria-current')).toBe('true')
})
