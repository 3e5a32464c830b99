import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { momentText } from '#web/i18n/dates.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { CardHistory } from './card-history.tsx'

tidyUp()

const at = (hour: number) => `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`

test('the last three steps are shown as icons, and a button lists all steps, newest first', async () => {
  await renderPart(
    <CardHistory
      changes={[
        { status: 'SUGGESTED', changedBy: 'Ana', changedAt: at(1) },
        { status: 'REVEALED', changedBy: 'Ben', changedAt: at(2) },
        { status: 'SUGGESTED', changedBy: 'Ben', changedAt: at(3) },
        { status: 'REVEALED', changedBy: 'Ana', changedAt: at(4) },
        { status: 'REJECTED', changedBy: 'Chiyo', changedAt: at(5) },
      ]}
    />,
  )

  const icons = within(screen.getByRole('list', { name: 'History' })).getAllByRole('button')
  expect(icons.map((step) => step.getAttribute('aria-label'))).toEqual([
    `Ben put it back to box on ${momentText(at(3))}`,
    `Ana revealed it on ${momentText(at(4))}`,
    `Chiyo rejected it on ${momentText(at(5))}`,
  ])

  await userEvent.click(screen.getByRole('button', { name: '+2, show the whole history' }))

  const all = within(screen.getByRole('list', { name: 'All changes' })).getAllByRole('listitem')
  expect(all.map(({ textContent }) => textContent)).toEqual([
    `Chiyo rejected it on ${momentText(at(5))}`,
    `Ana revealed it on ${momentText(at(4))}`,
    `Ben put it back to box on ${momentText(at(3))}`,
    `Ben revealed it on ${momentText(at(2))}`,
    `Ana suggested it on ${momentText(at(1))}`,
  ])
})

test('a short history shows every step, and the user and time of the last one', async () => {
  await renderPart(
    <CardHistory
      changes={[
        { status: 'SUGGESTED', changedBy: 'Ana', changedAt: at(1) },
        { status: 'WATCHED', changedBy: 'Ben', changedAt: at(2) },
      ]}
    />,
  )

  expect(screen.getAllByRole('button')).toHaveLength(2)
  expect(screen.getByText('Ben')).toBeTruthy()
  expect(screen.getByText(momentText(at(2)))).toBeTruthy()
})
