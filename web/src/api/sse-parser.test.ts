import { expect, test } from 'vitest'

import { createSseParser } from './sse-parser.ts'

function read(...pieces: string[]): string[] {
  const found: string[] = []
  const parse = createSseParser((data) => found.push(data))
  for (const piece of pieces) parse(piece)
  return found
}

test('each event is delivered when its blank line arrives', () => {
  expect(read('data: one\n\ndata: two\n\ndata: thr')).toEqual(['one', 'two'])
})

test.each([['\n'], ['\r\n'], ['\r']])('lines may end with %j', (end) => {
  expect(read(['data: one', '', 'data: two', '', 'x'].join(end))).toEqual(['one', 'two'])
})

test('an event may be cut anywhere, also between the two halves of a line end', () => {
  const text = 'retry: 2000\r\n: open\r\n\r\ndata: {"kind":"box-changed"}\r\n\r\n: alive\r\n\r\n'

  for (let cut = 0; cut <= text.length; cut += 1) {
    expect(read(text.slice(0, cut), text.slice(cut))).toEqual(['{"kind":"box-changed"}'])
  }
  expect(read(...text.split(''))).toEqual(['{"kind":"box-changed"}'])
})

test('several lines of data are one event', () => {
  expect(read('data: one\ndata:two\ndata\n\n')).toEqual(['one\ntwo\n'])
})

test('comments, other fields and events without data are passed over', () => {
  expect(read(': alive\n\nevent: x\nid: 4\n\ndatabase: no\n\ndata: yes\n\n')).toEqual(['yes'])
})
