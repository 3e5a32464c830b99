import type { MediaLink, MediaLinks } from '@marquee/contract/entities/media-link'
import type { MediaServer } from '@marquee/contract/entities/media-server'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { HOME_SERVER } from '#web/testing/samples.ts'

import '#web/i18n/media-server-texts.ts'
import { ServerLinksArea } from './server-links-area.tsx'

tidyUp()

const AT = '2026-11-24T20:15:00.000Z'
const PARAMS = { watchlistId: 'w1', serverId: 's1' }
const LINK: MediaLink = { serverId: 's1', state: 'linked', name: 'Lea', isSent: true, linkedAt: AT }
const NONE: MediaLinks = { links: [], claims: [], hooks: [] }

async function show(kind: MediaServer['kind'], answers: FakeAnswers, { isOwner = false } = {}) {
  const api = fakeApi(answers)
  await renderPart(<ServerLinksArea params={PARAMS} server={{ ...HOME_SERVER, kind }} isOwner={isOwner} />)
  return api
}

const press = async (name: string) => await userEvent.click(await screen.findByRole('button', { name }))

test('a member links their Jellyfin user with a code, and unlinks it', async () => {
  let links: MediaLink[] = []
  let entered = false
  await show('jellyfin', {
    listMediaLinks: () => ({ ...NONE, links }),
    beginQuickConnect: () => ({ code: '483920', attempt: 'an attempt', endsAt: AT }),
    finishQuickConnect: () => {
      links = entered ? [LINK] : []
      return { link: links[0] ?? null }
    },
    unlinkMediaUser: () => {
      links = []
    },
  })

  await press('Link my user of Home server')
  expect(await screen.findByText('483920')).toBeDefined()
  expect(await screen.findByText('Waiting for the code…')).toBeDefined()
  entered = true
  await vi.waitFor(() => expect(screen.getByText('Linked with Lea: marks go both ways.')).toBeDefined(), {
    timeout: 20_000,
  })
  await press('Unlink from Home server')

  expect(await screen.findByRole('button', { name: 'Link my user of Home server' })).toBeDefined()
})

test('an expired code shows an error and can be replaced', async () => {
  let made = 0
  await show('jellyfin', {
    listMediaLinks: () => NONE,
    beginQuickConnect: () => {
      made += 1
      return { code: `10000${made}`, attempt: `attempt ${made}`, endsAt: AT }
    },
    finishQuickConnect: ({ body }) => {
      if ((body as { attempt: string }).attempt === 'attempt 1')
        return new Refusal(400, 'BAD_REQUEST', 'This code has expired: start again')
      return { link: null }
    },
  })

  await press('Link my user of Home server')
  expect((await screen.findByRole('alert')).textContent).toContain('This code has expired: start again')
  await press('New code')

  expect(await screen.findByText('100002')).toBeDefined()
})

test('a temporary failure of the media server does not end the code', async () => {
  let links: MediaLink[] = []
  const answers = [() => new Refusal(400, 'BAD_REQUEST', 'The media server is slow', { fault: 'slow' })]
  await show('jellyfin', {
    listMediaLinks: () => ({ ...NONE, links }),
    beginQuickConnect: () => ({ code: '483920', attempt: 'an attempt', endsAt: AT }),
    finishQuickConnect: () => {
      const failed = answers.shift()
      if (failed !== undefined) return failed()
      links = [LINK]
      return { link: LINK }
    },
  })

  await press('Link my user of Home server')
  await vi.waitFor(() => expect(screen.getByText('Linked with Lea: marks go both ways.')).toBeDefined(), {
    timeout: 20_000,
  })
})

test('a member links their Emby user by name and password, and sees why these were rejected', async () => {
  const api = await show('emby', {
    listMediaLinks: () => NONE,
    linkWithPassword: () => new Refusal(400, 'BAD_REQUEST', 'The media server does not accept this name and password'),
  })

  await press('Link my user of Home server')
  await userEvent.type(screen.getByLabelText('Your name on the server'), 'Lea')
  await userEvent.type(screen.getByLabelText('Your password there'), ' pass ')
  await press('Link my user')

  expect((await screen.findByRole('alert')).textContent).toContain('does not accept this name and password')
  expect(api.callsOf('linkWithPassword').map(({ request }) => request.body)).toEqual([
    { name: 'Lea', password: ' pass ' },
  ])
})

test('a member chooses their Plex account, which waits for the owner’s confirmation', async () => {
  let links: MediaLink[] = []
  const api = await show('plex', {
    listMediaLinks: () => ({ ...NONE, links }),
    listMediaAccounts: () => ({ accounts: [{ accountId: '61240', name: 'Ida' }] }),
    claimMediaAccount: () => {
      links = [{ ...LINK, state: 'waiting', name: 'Ida', isSent: false }]
      return links[0]
    },
  })

  await press('Link my user of Home server')
  await userEvent.selectOptions(await screen.findByLabelText('Your account on Plex'), 'Ida')
  await press('That is me')

  expect(await screen.findByText('Ida waits until the member who gave the key says yes.')).toBeDefined()
  expect(api.callsOf('claimMediaAccount').map(({ request }) => request.body)).toEqual([{ accountId: '61240' }])
})

test('the owner confirms a claim and creates an address for reports', async () => {
  let claims = [{ serverId: 's1', username: 'ben', accountId: '61240', name: 'Ida' }]
  const hooks = [{ serverId: 's1', madeAt: AT, lastAt: null, taken: 0, unlinked: 0, unmatched: 0 }]
  const api = await show(
    'plex',
    {
      listMediaLinks: () => ({ links: [], claims, hooks }),
      answerMediaClaim: () => {
        claims = []
      },
      makeMediaHook: () => ({ url: 'https://films.example.org/api/media-reports/w1/s1/secret' }),
    },
    { isOwner: true },
  )
  expect(await screen.findByText('ben says: I am Ida.')).toBeDefined()
  expect(screen.getByText('The server has not reported anything yet.')).toBeDefined()

  await press('Confirm ben')
  await waitFor(() => expect(screen.queryByText('ben says: I am Ida.')).toBeNull())
  await press('New address for reports of Home server')

  expect(await screen.findByText('https://films.example.org/api/media-reports/w1/s1/secret')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Copy' })).toBeDefined()
  expect(api.callsOf('answerMediaClaim').map(({ request }) => request.body)).toEqual([
    { accountId: '61240', isConfirmed: true },
  ])
})

test('the owner sees the new claim if the account they confirm is no longer claimed', async () => {
  let claim = { serverId: 's1', username: 'ben', accountId: '61240', name: 'Ida' }
  const api = await show(
    'plex',
    {
      listMediaLinks: () => ({ ...NONE, claims: [claim] }),
      answerMediaClaim: ({ body }) => {
        if ((body as { accountId: string }).accountId !== claim.accountId)
          return new Refusal(404, 'NOT_FOUND', 'Not found')
        return undefined
      },
    },
    { isOwner: true },
  )
  expect(await screen.findByText('ben says: I am Ida.')).toBeDefined()
  claim = { ...claim, accountId: '1', name: 'Lea' }

  await press('Confirm ben')

  expect(await screen.findByText('ben says: I am Lea.')).toBeDefined()
  expect(screen.getByRole('alert')).toBeDefined()
  expect(api.callsOf('answerMediaClaim').map(({ request }) => request.body)).toEqual([
    { accountId: '61240', isConfirmed: true },
  ])
})

test.each([
  [{ unlinked: 0, unmatched: 0 }, 'Marked: 2.'],
  [{ unlinked: 3, unmatched: 0 }, 'Marked: 2. From users without a link: 3.'],
  [{ unlinked: 3, unmatched: 4 }, 'Marked: 2. From users without a link: 3. For movies without a card: 4.'],
])('the owner sees how many reports had each outcome, and no zero counts: %o', async (counts, text) => {
  const hooks = [{ serverId: 's1', madeAt: AT, lastAt: AT, taken: 2, ...counts }]
  await show('plex', { listMediaLinks: () => ({ ...NONE, hooks }) }, { isOwner: true })

  const line = await screen.findByText(/^Last report /u)

  expect(line.textContent.replace(/^Last report .*?\. /u, '')).toBe(text)
})
