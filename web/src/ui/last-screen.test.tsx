import { render, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { BehindLastScreen, LAST_SCREEN_ID, useLastScreenEnd } from './last-screen.tsx'

tidyUp()

function App({ children }: { children?: ReactNode }) {
  useLastScreenEnd()
  return <main>{children}</main>
}

function Loading() {
  const [isLoaded, setLoaded] = useState(false)
  if (isLoaded) return null
  return (
    <button type="button" onClick={() => setLoaded(true)}>
      <BehindLastScreen />
    </button>
  )
}

const lastScreen = () => document.querySelector(`#${LAST_SCREEN_ID}`)

function showLastScreen(): void {
  document.body.append(Object.assign(document.createElement('div'), { id: LAST_SCREEN_ID }))
}

test('the last screen is removed when the app shows a screen without a placeholder', () => {
  showLastScreen()

  render(<App />)

  expect(lastScreen()).toBeNull()
})

test('the last screen covers a placeholder and is removed with it', async () => {
  showLastScreen()
  render(
    <App>
      <Loading />
    </App>,
  )
  expect(lastScreen()).not.toBeNull()

  screen.getByRole('button').click()

  await expect.poll(lastScreen).toBeNull()
})
