import { render } from '@testing-library/react'
import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { setAppStarting, useGentleStart } from './use-gentle-start.ts'

tidyUp()

test('newly loaded content appears one render later, and existing content at once', () => {
  const renders: string[] = []
  function Part({ isLoaded }: { isLoaded: boolean }) {
    renders.push(useGentleStart(isLoaded) ? 'content' : 'placeholder')
    return null
  }

  const { rerender, unmount } = render(<Part isLoaded={false} />)
  renders.length = 0
  rerender(<Part isLoaded />)
  expect(renders).toEqual(['placeholder', 'content'])
  unmount()
  renders.length = 0
  render(<Part isLoaded />)

  expect(renders).not.toContain('placeholder')
})

test('content that is already loaded renders after the rest of the screen at app start', () => {
  const renders: string[] = []
  function Part() {
    renders.push(useGentleStart(true, { afterAppStart: true }) ? 'content' : 'rest')
    return null
  }

  setAppStarting(true)
  const { unmount } = render(<Part />)
  setAppStarting(false)
  expect(renders).toEqual(['rest', 'content'])
  unmount()
  renders.length = 0
  render(<Part />)

  expect(renders).not.toContain('rest')
})
