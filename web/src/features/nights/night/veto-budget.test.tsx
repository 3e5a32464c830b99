import '#web/i18n/club-texts.ts'
import '#web/i18n/night-texts.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { VetoSection } from './veto-budget.tsx'

tidyUp()

test('the owner can set the number of vetoes per member outside a movie night', async () => {
  let vetoBudget = 2
  const api = fakeApi({
    getVetoBudget: () => ({ vetoBudget }),
    setVetoBudget: ({ body }) => {
      vetoBudget = (body as { vetoBudget: number }).vetoBudget
    },
  })
  await renderPart(<VetoSection watchlistId="w1" isOwner />)
  const field = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Vetoes per member each month' })
  expect(field.value).toBe('2')

  await userEvent.selectOptions(field, '5')

  await expect.poll(() => api.callsOf('getVetoBudget').length, { timeout: 20_000 }).toBe(2)
  expect(field.value).toBe('5')
  expect(api.callsOf('setVetoBudget').map(({ request }) => request.body)).toEqual([{ vetoBudget: 5 }])
})

test('another member sees the number of vetoes, but cannot change it', async () => {
  fakeApi({ getVetoBudget: () => ({ vetoBudget: 3 }) })
  await renderPart(<VetoSection watchlistId="w1" isOwner={false} />)

  expect((await screen.findByRole('definition')).textContent).toBe('3')
  expect(screen.queryByRole('combobox')).toBeNull()
})
