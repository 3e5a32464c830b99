import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { lazyPart } from './lazy-part.tsx'

tidyUp()

type Named = { name: string }

/** A part whose code loads or fails in each attempt. */
function aPart(...attempts: ('comes' | 'fails')[]) {
  let fetches = 0
  const Part = lazyPart<Named>({
    load: async (): Promise<ComponentType<Named>> => {
      fetches += 1
      if (attempts.shift() === 'fails') throw new TypeError('Failed to fetch')
      return ({ name }) => <p>{`Hello ${name}`}</p>
    },
    Loading: ({ name }) => <p>{`Waiting for ${name}`}</p>,
    Failed: ({ name, onRetry }) => (
      <button type="button" onClick={onRetry}>
        {`Try again for ${name}`}
      </button>
    ),
  })
  return { Part, fetches: () => fetches }
}

test('a placeholder is shown until the code has loaded', async () => {
  const { Part } = aPart('comes')
  render(<Part name="Ana" />)

  expect(screen.getByText('Waiting for Ana')).toBeTruthy()
  expect(await screen.findByText('Hello Ana')).toBeTruthy()
})

test('a failure to load the code is shown in its place and can be retried', async () => {
  const { Part } = aPart('fails', 'comes')
  render(<Part name="Ana" />)

  await userEvent.click(await screen.findByRole('button', { name: 'Try again for Ana' }))

  expect(await screen.findByText('Hello Ana')).toBeTruthy()
})

test('preloaded code is shown at once and not loaded again', async () => {
  const { Part, fetches } = aPart('comes')
  void Part.preload()
  await Promise.resolve()

  render(<Part name="Ana" />)

  expect(screen.getByText('Hello Ana')).toBeTruthy()
  expect(fetches()).toBe(1)
})
