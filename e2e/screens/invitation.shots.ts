import { ENDPOINTS } from '@marquee/contract/endpoints'

import { addressOf, holdRequests } from '../support/api.ts'
import { expect } from '../support/journey.ts'

import { test } from './film-club.ts'
import { shoot } from './shoot.ts'

const REDIRECTS_AFTER_MS = 2_000

test('the screens of an invited user are photographed', async ({ openAs, club }) => {
  const { nora, norasToken } = club
  const page = await openAs(nora)
  await page.goto('/')
  await expect(page.getByRole('main').getByRole('region', { name: 'Invitations' })).toBeVisible()
  await shoot(page, 'invitations-waiting')
  await page.goto('/notifications')
  await expect(page.getByText('Mia invites you to Friday film club')).toBeVisible()
  await shoot(page, 'invitations-received')

  const acceptance = await holdRequests(page, addressOf(ENDPOINTS.acceptInvitation))
  await page.goto('/watchlists/invitation/accept?token=unknown')
  await expect(page.getByText('Accepting invitation...')).toBeVisible()
  await shoot(page, 'invitation-accepting')
  acceptance.release()
  await expect(page.getByRole('alert')).toBeVisible()
  await shoot(page, 'invitation-failed')

  // Without its timer the screen does not redirect before its pictures are taken.
  await page.addInitScript((never) => {
    const { setTimeout } = globalThis
    const withoutRedirect = (work: () => void, delay?: number) => (delay === never ? 0 : setTimeout(work, delay))
    Object.assign(globalThis, { setTimeout: withoutRedirect })
  }, REDIRECTS_AFTER_MS)
  await page.goto(`/watchlists/invitation/accept?token=${norasToken}`)
  await expect(page.getByText('Redirecting to Silent nights...')).toBeVisible()
  await shoot(page, 'invitation-joined')
})
