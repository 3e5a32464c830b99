import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { anInvitation, aPendingInvitation, aProfile } from '#web/testing/samples.ts'

import { InviteDialog } from './invite-dialog.tsx'
import { InviteSection } from './invite-section.tsx'

tidyUp()
afterEach(() => Reflect.deleteProperty(navigator, 'clipboard'))

const LINK_OF_BEN = `${location.origin}/watchlists/invitation/accept?token=token-of-Ben`

async function openSection(answers: FakeAnswers) {
  const api = fakeApi({
    listPendingInvitations: () => [],
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
    ...answers,
  })
  await renderPart(
    <InviteDialog watchlistId="w1" username="Ana" isOwner={false}>
      <InviteSection watchlistId="w1" />
    </InviteDialog>,
  )
  return api
}

async function invite(username: string): Promise<void> {
  await userEvent.type(screen.getByRole('textbox', { name: 'Username or e-mail' }), `${username}{Enter}`)
}

/** Opens the dialog at the invitations without an answer. */
async function openWaiting(name: RegExp | string = /waiting$/u) {
  await userEvent.click(await screen.findByRole('button', { name }))
  return within(await screen.findByRole('tabpanel', { name: /^Waiting/u }))
}

/** Replaces the clipboard. Returns the texts that are copied to it. */
function aClipboard({ isOpen = true } = {}) {
  const copied: string[] = []
  const writeText = async (text: string) => {
    if (!isOpen) throw new DOMException('Not allowed', 'NotAllowedError')
    copied.push(text)
  }
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  return copied
}

test.each(['', '   '])(
  'an invitation without a username shows an error at the field and is not sent: %j',
  async (username) => {
    const api = await openSection({ inviteUser: () => anInvitation('Ben') })
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Username or e-mail' })

    await userEvent.type(field, `${username}{Enter}`)

    expect((await screen.findByRole('alert')).textContent).toBe('Username is required')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(api.callsOf('inviteUser')).toEqual([])

    await userEvent.type(field, 'B')
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

test('the username field accepts 128 characters', async () => {
  await openSection({})
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Username or e-mail' })

  await userEvent.click(field)
  await userEvent.paste('x'.repeat(129))

  expect(field.value).toHaveLength(128)
})

test('a user is invited by their trimmed name and listed, and the form is cleared', async () => {
  const pending = [aPendingInvitation('Chiyo')]
  const api = await openSection({
    listPendingInvitations: () => pending,
    inviteUser: () => {
      pending.push(aPendingInvitation('Ben'))
      return anInvitation('Ben')
    },
  })

  await invite('  Ben ')

  expect(await screen.findByText('Invitation sent successfully!')).toBeTruthy()
  expect(api.callsOf('inviteUser')[0]?.request.body).toEqual({ username: 'Ben' })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Username or e-mail' }).value).toBe('')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Username or e-mail' })))
  const waiting = await openWaiting('2 invitations are waiting')
  expect(waiting.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Chiyo.*Invited by/u),
    expect.stringMatching(/Ben.*Invited by/u),
  ])
})

test('text that is typed while an invitation is being sent stays in the field', async () => {
  const { promise: sent, resolve: answer } = Promise.withResolvers<void>()
  await openSection({ inviteUser: async () => sent.then(() => anInvitation('Ben')) })
  await invite('Ben')

  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Username or e-mail' })
  await userEvent.clear(field)
  await userEvent.type(field, 'Chi')
  answer()

  expect(await screen.findByText('Invitation sent successfully!')).toBeTruthy()
  expect(field.value).toBe('Chi')
})

test('the link of a sent invitation can be copied', async () => {
  await openSection({ inviteUser: () => anInvitation('Ben') })
  await invite('Ben')
  const clipboard = aClipboard()

  await userEvent.click(await screen.findByRole('button', { name: 'Copy invitation link' }))

  expect(await screen.findByRole('button', { name: 'Link copied' })).toBeTruthy()
  expect(clipboard).toEqual([LINK_OF_BEN])
})

test('the link is shown and selected if the browser blocks the clipboard', async () => {
  await openSection({ inviteUser: () => anInvitation('Ben') })
  await invite('Ben')
  aClipboard({ isOpen: false })

  await userEvent.click(await screen.findByRole('button', { name: 'Copy invitation link' }))

  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Invitation link' })
  expect(field.value).toBe(LINK_OF_BEN)
  await waitFor(() => expect(document.activeElement).toBe(field))
})

test.each([
  [new Refusal(404, 'NOT_FOUND', 'There is no user with this username'), 'There is no user with this username'],
  [new Refusal(400, 'BAD_REQUEST', 'Already a member'), 'Already a member'],
  [
    new Refusal(500, 'SERVER_ERROR', 'Server error: 500'),
    'Failed to send invitation. Please check the username and try again.',
  ],
])('a failed invitation shows the reason and keeps the name: %o', async (refusal, words) => {
  await openSection({ inviteUser: () => refusal })

  await invite('Ben')

  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Username or e-mail' }).value).toBe('Ben')
})

test('an invitation is withdrawn after a confirmation', async () => {
  let pending = [aPendingInvitation('Ben'), aPendingInvitation('Chiyo')]
  const api = await openSection({
    listPendingInvitations: () => pending,
    withdrawInvitation: () => void (pending = [aPendingInvitation('Chiyo')]),
  })

  await openWaiting()
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw Ben’s invitation' }))
  expect(screen.getByRole('dialog', { name: 'Withdraw Ben’s invitation?' })).toBeTruthy()
  expect(api.callsOf('withdrawInvitation')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }))

  expect(await screen.findByText('Ben’s invitation was withdrawn.')).toBeTruthy()
  expect(screen.queryByText('Ben')).toBeNull()
  expect(api.callsOf('withdrawInvitation').map(({ request }) => request.params['username'])).toEqual(['Ben'])
})

test('an invitation by e-mail is sent, listed like the others and withdrawn', async () => {
  const mailed = { ...aPendingInvitation('b…@example.org'), linkId: 'l1' }
  let pending = [aPendingInvitation('Chiyo')]
  const api = await openSection({
    listPendingInvitations: () => pending,
    inviteByMail: () => {
      pending = [...pending, mailed]
      return mailed
    },
    withdrawMailInvitation: () => void (pending = [aPendingInvitation('Chiyo')]),
  })

  await invite(' ben@example.org ')

  expect(await screen.findByText(/^The link in the mail works once, until/u)).toBeTruthy()
  const list = await openWaiting('2 invitations are waiting')
  expect(await list.findByText('Invitation sent to b…@example.org')).toBeTruthy()
  expect(api.callsOf('inviteByMail').map(({ request }) => request.body)).toEqual([{ email: 'ben@example.org' }])
  expect(screen.queryByRole('button', { name: 'b…@example.org’s invitation link' })).toBeNull()

  await userEvent.click(screen.getByRole('button', { name: 'Withdraw b…@example.org’s invitation' }))
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }))

  expect(await screen.findByText('b…@example.org’s invitation was withdrawn.')).toBeTruthy()
  expect(api.callsOf('withdrawMailInvitation').map(({ request }) => request.params['linkId'])).toEqual(['l1'])
  expect(list.queryByText('Invitation sent to b…@example.org')).toBeNull()
})

test('a cancelled withdrawal keeps the invitation', async () => {
  const api = await openSection({ listPendingInvitations: () => [aPendingInvitation('Ben')] })

  await openWaiting()
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw Ben’s invitation' }))
  await userEvent.click(screen.getByRole('button', { name: 'Keep it' }))

  expect(screen.queryByRole('dialog', { name: 'Withdraw Ben’s invitation?' })).toBeNull()
  expect(screen.getByRole('dialog', { name: 'Invite someone' })).toBeTruthy()
  expect(api.callsOf('withdrawInvitation')).toEqual([])
})

test('a link that the browser no longer has is replaced after a confirmation', async () => {
  const api = await openSection({
    listPendingInvitations: () => [aPendingInvitation('Ben')],
    inviteUser: () => anInvitation('Ben'),
  })

  await openWaiting()
  await userEvent.click(await screen.findByRole('button', { name: 'Ben’s invitation link' }))
  expect(screen.getByRole('dialog', { name: 'A new link for Ben?' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Create a new link' }))
  expect(await screen.findByRole('button', { name: 'Copy invitation link' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Ben’s invitation link' }))

  expect(screen.queryByRole('dialog', { name: 'A new link for Ben?' })).toBeNull()
  expect(screen.getByText(/^Ben’s invitation link is valid until/u)).toBeTruthy()
  expect(api.callsOf('inviteUser')).toHaveLength(1)
})

test('a failure to load the invitations is shown and can be retried', async () => {
  let isUp = false
  await openSection({
    listPendingInvitations: () =>
      isUp ? [aPendingInvitation('Ben')] : new Refusal(404, 'NOT_FOUND', 'Resource not found'),
    listJoinLinks: () => ({ creators: 'owner', links: [] }),
  })

  await userEvent.click(screen.getByRole('button', { name: 'Invite by link' }))
  await userEvent.click(await screen.findByRole('tab', { name: 'Waiting' }))
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded')
  isUp = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  expect(await screen.findByText('Ben')).toBeTruthy()
})

test('the list shows the link of a newly sent invitation without creating another', async () => {
  let pending: object[] = []
  const api = await openSection({
    listPendingInvitations: () => pending,
    inviteUser: () => {
      pending = [aPendingInvitation('Ben')]
      return anInvitation('Ben')
    },
  })
  await invite('Ben')
  await openWaiting('1 invitation is waiting')

  await userEvent.click(await screen.findByRole('button', { name: 'Ben’s invitation link' }))

  expect(screen.getByText(/^Ben’s invitation link is valid until/u)).toBeTruthy()
  expect(api.callsOf('inviteUser')).toHaveLength(1)
})

test('an empty list of invitations shows that none is waiting', async () => {
  await openSection({ listJoinLinks: () => ({ creators: 'owner', links: [] }) })
  await userEvent.click(screen.getByRole('button', { name: 'Invite by link' }))
  await userEvent.click(await screen.findByRole('tab', { name: 'Waiting' }))

  expect(screen.getByText('No invitation is waiting for an answer.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})
