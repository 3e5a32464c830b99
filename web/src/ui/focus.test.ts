import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'

import { WITHIN } from '#web/testing/within.ts'

import { focusSoon, useFocusLost } from './focus.ts'

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

test('the focus is set once its target appears', () => {
  const [field] = twoFields()
  const target = { current: null as HTMLElement | null }
  focusSoon(target)
  nextFrame()
  target.current = field
  nextFrame()
  expect(document.activeElement).toBe(field)
})

test('the focus stays where the user has moved it in the meantime', async () => {
  const [first, second] = twoFields()
  focusSoon({ current: first })
  await userEvent.type(second, 'heat')
  nextFrame()
  expect(document.activeElement).toBe(second)
  expect([first.value, second.value]).toEqual(['', 'heat'])
})

/** A part with a field. Each render passes another callback, which reports the render that made it. */
function Part({ render: nth, onLost }: { render: number; onLost: (nth: number) => void }) {
  const ref = useFocusLost(() => onLost(nth))
  return createElement('div', { ref }, createElement('input'))
}

test('a part that renders again keeps the focus, and its removal calls the latest callback', () => {
  const lost: number[] = []
  const part = (nth: number) => createElement(Part, { render: nth, onLost: (seen) => lost.push(seen) })
  const view = render(part(1))
  view.getByRole('textbox').focus()

  view.rerender(part(2))
  expect([lost, document.activeElement]).toEqual([[], view.getByRole('textbox')])

  view.unmount()
  expect(lost).toEqual([2])
})

test('a part whose button is disabled while busy still counts as focused', async () => {
  const [elsewhere] = twoFields()
  vi.unstubAllGlobals()
  const lost: string[] = []
  const Work = ({ isBusy }: { isBusy: boolean }) => {
    const ref = useFocusLost(() => lost.push('the focus'))
    return createElement('div', { ref }, createElement('button', { disabled: isBusy }))
  }
  for (const goesElsewhere of [true, false]) {
    const view = render(createElement(Work, { isBusy: false }))
    view.getByRole('button').focus()
    view.rerender(createElement(Work, { isBusy: true }))
    await vi.waitFor(() => expect(document.activeElement).toBe(document.body), WITHIN)
    if (goesElsewhere) elsewhere.focus()

    view.unmount()
    expect(lost).toEqual(goesElsewhere ? [] : ['the focus'])
  }
})

test('a field in which the user types keeps the focus until it is removed', () => {
  const [first, second] = twoFields()
  second.focus()
  focusSoon({ current: first })
  nextFrame()
  expect(document.activeElement).toBe(second)

  second.remove()
  nextFrame()
  expect(document.activeElement).toBe(first)
})
