import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { momentText } from '#web/i18n/dates.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { CardHistory } from './card-history.tsx'

tidyUp()

const at = (hour: number) => `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`

test('each step has its own sentence: the first suggestion is one, a later one was put back', async () => {
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

  expect(screen.getAllByRole('button').map((step) => step.getAttribute('aria-label'))).toEqual([
    `Ana suggested it on ${momentText(at(1))}`,
    `Ben revealed it on ${momentText(at(2))}`,
    `Ben put it back to box on ${momentText(at(3))}`,
    `Ana revealed it on ${momentText(at(4))}`,
    `Chiyo rejected it on ${momentText(at(5))}`,
  ])
})

test('who did the last thing, and when, is in sight', async () => {
  await renderPart(
    <CardHistory
      changes={[
        { status: 'SUGGESTED', changedBy: 'Ana', changedAt: at(1) },
        { status: 'WATCHED', changedBy: 'Ben', changedAt: at(2) },
      ]}
    />,
  )

  expect(screen.getByText('Ben')).toBeTruthy()
  expect(screen.getByText(momentText(at(2)))).toBeTruthy()
})
