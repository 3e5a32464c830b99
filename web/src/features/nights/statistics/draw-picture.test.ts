import { afterEach, expect, test, vi } from 'vitest'

import { drawPicture } from './draw-picture.ts'

afterEach(() => {
  document.documentElement.removeAttribute('dir')
  vi.restoreAllMocks()
})

/** A canvas that notes where texts begin and posters are. */
function aCanvas() {
  const texts = new Map<string, number>()
  const posters: number[] = []
  const ignored = () => {}
  const context = {
    direction: 'inherit',
    measureText: (text: string) => ({ width: text.length }),
    fillText: (text: string, x: number) => texts.set(text, Math.round(x)),
    roundRect: (x: number) => posters.push(x),
    createLinearGradient: () => ({ addColorStop: ignored }),
    ...Object.fromEntries(['fillRect', 'fill', 'save', 'restore', 'beginPath', 'clip'].map((name) => [name, ignored])),
  }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob()))
  return { context, texts, posters }
}

const aMovie = (title: string) => ({
  id: title,
  title,
  imageUrl: 'https://posters.test/a.jpg',
  creatorId: 'Ana',
  statusChangedAt: '2026-03-02T20:14:00.000Z',
})

test.each([
  ['ltr', { Friday: 84, Marquee: 84, Ran: 121, 'Yi Yi': 587 }, [84, 550]],
  ['rtl', { Friday: 996, Marquee: 996, Ran: 959, 'Yi Yi': 493 }, [550, 84]],
])('an %s picture starts its texts and posters on the matching side', async (direction, starts, places) => {
  document.documentElement.dir = direction
  const { context, texts, posters } = aCanvas()
  const movies = [aMovie('Ran'), aMovie('Yi Yi')]

  await drawPicture({ key: 'cover', heading: 'Friday', figure: '', lines: [], movies }, document.body, 'Marquee')

  expect(context.direction).toBe(direction)
  expect(Object.fromEntries(texts)).toEqual(starts)
  expect(posters).toEqual(places)
})
