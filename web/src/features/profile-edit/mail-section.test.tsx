import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { MailSection } from './mail-section.tsx'

tidyUp()

test('mails about movie nights are turned off, and a choice that is not saved goes back', async () => {
  let isBroken = false
  fakeApi({
    getMailSettings: () => ({ nights: true }),
    setMailSettings: ({ body }) => (isBroken ? new Refusal(400, 'BAD_REQUEST', 'Not now') : body),
  })
  await renderPart(<MailSection />)
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Mails about movie nights' })
  expect(box.checked).toBe(true)

  await userEvent.click(box)
  await waitFor(() => expect(box.checked).toBe(false))
  isBroken = true
  await userEvent.click(box)

  expect((await screen.findByRole('alert')).textContent).toBe('Your choice was not saved.Not now')
  expect(box.checked).toBe(false)
})
