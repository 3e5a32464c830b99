import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import { ROUTES, to } from '#web/paths.ts'
import { Component as Join } from '#web/routes/join.tsx'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aSession, openApp } from '#web/testing/open-app.tsx'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import '#web/i18n/join-texts.ts'

import { LinkPart } from './link-part.tsx'

tidyUp()

const NOT_FOUND = new Refusal(404, 'NOT_FOUND', 'This join link does not work any more')
const OPEN = {
  state: 'open',
  watchlist: { name: 'Friday films', imageUrl: null, invitedBy: 'Ana', memberCount: 2 },
}
const LINK = {
  id: 'l1',
  createdBy: 'Ana',
  createdAt: '2026-03-01T18:00:00.000Z',
  expiresAt: '2026-03-08T18:00:00.000Z',
  maxUses: 10,
  uses: 3,
}

async function openLink(answers: FakeAnswers, { isSignedIn = true } = {}) {
  const api = fakeApi(answers)
  const session = aSession(isSignedIn ? { userId: '1', username: 'Ben', loginId: 'ben@example.org' } : undefined)
  const app = await openApp(
    [
      { path: ROUTES.join, element: <Join /> },
      { path: '*', element: null },
    ],
    to.join('t'),
    session,
  )
  return { api, app }
}

test('a visitor without an account sees the watchlist of a link, and sign-up and sign-in lead back to it', async () => {
  const { api } = await openLink({ previewJoinLink: () => OPEN }, { isSignedIn: false })

  expect(await screen.findByRole('heading', { name: 'Ana invites you to Friday films' })).toBeTruthy()
  expect(screen.getByText('A shared movie watchlist with 2 members.')).toBeTruthy()
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/auth/signup?redirect=%2Fjoin%2Ft',
    '/auth/login?redirect=%2Fjoin%2Ft',
  ])
  expect(api.callsOf('previewJoinLink').map(({ request }) => request.body)).toEqual([{ token: 't' }])
  expect(api.callsOf('joinByLink')).toEqual([])
})

test('a visitor without an account sees that they need one if registration is closed', async () => {
  const before = features()
  setFeatures({ ...before, registration: 'closed' })
  onTestFinished(() => setFeatures(before))

  await openLink({ previewJoinLink: () => OPEN }, { isSignedIn: false })

  expect(await screen.findByText('You need an account to join, and no new accounts can be created here.')).toBeTruthy()
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/auth/login?redirect=%2Fjoin%2Ft',
  ])
})

test('a user joins with one tap and arrives at the watchlist', async () => {
  const { api, app } = await openLink({ previewJoinLink: () => OPEN, joinByLink: () => aWatchlist('w7') })

  await userEvent.click(await screen.findByRole('button', { name: 'Join Friday films' }))

  await waitFor(() => expect(app.place()).toBe('/watchlists/w7'))
  expect(api.callsOf('joinByLink').map(({ request }) => request.body)).toEqual([{ token: 't' }])
})

test.each([
  ['used-up', 'It has been used by as many people as allowed.'],
  ['expired', 'It has expired.'],
  ['revoked', 'A member of the watchlist has revoked it.'],
])('a link that is %s shows its state and offers no button', async (state, words) => {
  await openLink({ previewJoinLink: () => ({ state, watchlist: null }), joinByLink: () => NOT_FOUND })

  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText('Ask your friends for a new one.')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a user who signed up with the last use of a link arrives at the watchlist', async () => {
  const { app } = await openLink({
    previewJoinLink: () => ({ state: 'used-up', watchlist: null }),
    joinByLink: () => aWatchlist('w7'),
  })

  await waitFor(() => expect(app.place()).toBe('/watchlists/w7'))
})

test('a signed-out visitor does not try to join by a used-up link', async () => {
  const used = { previewJoinLink: () => ({ state: 'used-up', watchlist: null }) }
  const { api } = await openLink(used, { isSignedIn: false })

  expect(await screen.findByText('It has been used by as many people as allowed.')).toBeTruthy()
  expect(api.callsOf('joinByLink')).toEqual([])
})

test('an unknown link shows an explanation', async () => {
  await openLink({ previewJoinLink: () => NOT_FOUND })

  expect(await screen.findByText('It may be incomplete, or it was removed.')).toBeTruthy()
})

test('a link shows that it is used up if another visitor takes its last use first', async () => {
  let preview: object = OPEN
  await openLink({
    previewJoinLink: () => preview,
    joinByLink: () => {
      preview = { state: 'used-up', watchlist: null }
      return NOT_FOUND
    },
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Join Friday films' }))

  expect(await screen.findByText('It has been used by as many people as allowed.')).toBeTruthy()
})

async function openPart(answers: FakeAnswers, { isOwner = false } = {}) {
  const api = fakeApi(answers)
  await renderPart(<LinkPart watchlistId="w1" username="Ben" isOwner={isOwner} />)
  return api
}

async function openOthers(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'Other links' }))
}

test('a member without a link gets one at once, as text and as a QR code', async () => {
  const api = await openPart({
    listJoinLinks: () => ({ creators: 'members', links: [] }),
    createJoinLink: () => ({ ...LINK, createdBy: 'Ben', token: 'secret' }),
  })

  expect(await screen.findByText(`${location.origin}/join/secret`)).toBeTruthy()
  expect(screen.getByRole('img', { name: 'QR code of the link' })).toBeTruthy()
  expect(screen.getByText(/, for 7 more people\.$/u)).toBeTruthy()
  expect(api.callsOf('createJoinLink').map(({ request }) => request.body)).toEqual([{ days: 7, maxUses: 10 }])
})

test('a member can create another link with other limits', async () => {
  const links: object[] = [{ ...LINK, createdBy: 'Ben', token: 'first' }]
  const api = await openPart({
    listJoinLinks: () => ({ creators: 'members', links }),
    createJoinLink: () => {
      const link = { ...LINK, id: 'l2', maxUses: 1, uses: 0, createdBy: 'Ben', token: 'secret' }
      links.unshift(link)
      return link
    },
  })

  await openOthers()
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Can be used by' }), '1 person')
  await userEvent.click(screen.getByRole('button', { name: 'Create a link' }))

  expect(await screen.findByText(`${location.origin}/join/secret`)).toBeTruthy()
  expect(screen.getByText(/, for 1 more person\.$/u)).toBeTruthy()
  expect(api.callsOf('createJoinLink').map(({ request }) => request.body)).toEqual([{ days: 7, maxUses: 1 }])
})

test('a member sees their newest open link, and can choose an earlier one', async () => {
  const mine = { ...LINK, id: 'l2', createdBy: 'Ben', token: 'newest' }
  const earlier = { ...LINK, id: 'l3', createdBy: 'Ben', expiresAt: '2026-03-05T18:00:00.000Z', token: 'earlier' }
  const api = await openPart({
    listJoinLinks: () => ({ creators: 'members', links: [{ ...LINK, token: null }, mine, earlier] }),
  })

  expect(await screen.findByText(`${location.origin}/join/newest`)).toBeTruthy()
  await openOthers()
  await userEvent.click(screen.getByRole('button', { name: /^Show Ben’s link/u }))

  expect(screen.getByText(`${location.origin}/join/earlier`)).toBeTruthy()
  expect(screen.queryByText(`${location.origin}/join/newest`)).toBeNull()
  expect(api.callsOf('createJoinLink')).toEqual([])
})

test('a member can revoke only their own links, and no new link is created for them', async () => {
  let links = [LINK, { ...LINK, id: 'l2', createdBy: 'Ben', token: 'mine' }]
  const api = await openPart({
    listJoinLinks: () => ({ creators: 'members', links }),
    createJoinLink: () => ({ ...LINK, id: 'l3', createdBy: 'Ben', token: 'next' }),
    revokeJoinLink: () => void (links = [LINK]),
  })

  await openOthers()
  await userEvent.click(await screen.findByRole('button', { name: /^Revoke .*link/u }))

  await waitFor(() =>
    expect(api.callsOf('revokeJoinLink').map(({ request }) => request.params['linkId'])).toEqual(['l2']),
  )
  await waitFor(() => expect(screen.queryByText(`${location.origin}/join/mine`)).toBeNull())
  expect(await screen.findByRole('button', { name: 'Create a link' })).toBeTruthy()
  expect(api.callsOf('createJoinLink')).toEqual([])
})

test('a failure to create the first link is shown and can be retried', async () => {
  const link = { ...LINK, createdBy: 'Ben', token: 'secret' }
  let isUp = false
  await openPart({
    listJoinLinks: () => ({ creators: 'members', links: isUp ? [link] : [] }),
    createJoinLink: () => (isUp ? link : new Refusal(400, 'BAD_REQUEST', 'This watchlist has too many open links')),
  })

  expect((await screen.findByRole('alert')).textContent).toContain('The link could not be created.')
  isUp = true
  await userEvent.click(screen.getByRole('button', { name: 'Create a link' }))

  expect(await screen.findByText(`${location.origin}/join/secret`)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a member cannot create links if only the owner may', async () => {
  const api = await openPart({ listJoinLinks: () => ({ creators: 'owner', links: [] }) })

  expect(await screen.findByText('Only the owner of this watchlist creates links.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Create a link' })).toBeNull()
  expect(api.callsOf('createJoinLink')).toEqual([])
})

test('the owner can reserve the creation of links for themselves', async () => {
  const api = await openPart(
    {
      listJoinLinks: () => ({ creators: 'members', links: [{ ...LINK, token: 'theirs' }] }),
      setLinkCreators: () => ({ creators: 'owner', links: [{ ...LINK, id: 'l2', createdBy: 'Ben', token: 'mine' }] }),
    },
    { isOwner: true },
  )

  await openOthers()
  await userEvent.click(await screen.findByRole('switch', { name: 'Only the owner creates links' }))

  expect(await screen.findByText(`${location.origin}/join/mine`)).toBeTruthy()
  expect(api.callsOf('setLinkCreators').map(({ request }) => request.body)).toEqual([{ creators: 'owner' }])
})
