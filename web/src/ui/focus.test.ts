import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'

import { focusSoon } from './focus.ts'

const frames: FrameRequestCallback[] = []

function twoFields() {
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  const fields = [document.createElement('input'), document.createElement('input')] as const
  document.body.append(...fields)
  return fields
}

function nextFrame() {
  for (const frame of frames.splice(0)) frame(0)
}

afterEach(() => {
  frames.splice(0)
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

test('the focus waits for an element that is not shown yet', () => {
  const [field] = twoFields()
  const target = { current: null as HTMLElement | null }
  focusSoon(target)
  nextFrame()
  target.current = field
  nextFrame()
  expect(document.activeElement).toBe(field)
})

test('the focus stays where the user moved it in the meantime', async () => {
  const [first, second] = twoFields()
  focusSoon({ current: first })
  await userEvent.type(second, 'heat')
  nextFrame()
  expect(document.activeElement).toBe(second)
  expect([first.value, second.value]).toEqual(['', 'heat'])
})
