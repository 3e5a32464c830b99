import { render } from '@testing-library/react'
import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { useGentleStart } from './use-gentle-start.ts'

tidyUp()

test('content that arrives starts one render later, and content that was there starts at once', () => {
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
