import { expect, test } from 'vitest'

import { aComment } from '#web/testing/samples.ts'

import {
  type CommentChange,
  isEdited,
  isPending,
  pendingComment,
  withChanged,
  withComment,
  withNewest,
  withoutComment,
  withSettled,
} from './comment-list.ts'

/** Newest first, as the server sends them. */
const comments = (...nths: number[]) => nths.map((nth) => aComment(nth))
const pending = pendingComment('x', { cardId: 'c1', content: 'Mine', authorId: 'Ben' })
const contents = (change: CommentChange, list = comments(3, 2, 1)) => change(list).map(({ content }) => content)

test('newly read comments replace those of the same time span, and older ones stay', () => {
  expect(contents(withNewest(comments(6, 5, 4)), comments(5, 4, 3, 2))).toEqual(
    [6, 5, 4, 3, 2].map((nth) => `Comment ${nth}`),
  )
  expect(contents(withNewest(comments(5, 3, 2)), comments(5, 4, 3, 2, 1))).toEqual(
    [5, 3, 2, 1].map((nth) => `Comment ${nth}`),
  )
  expect(contents(withNewest([...comments(4, 3), aComment(2, 'Ana', { content: 'Edited since' })]))).toEqual([
    'Comment 4',
    'Comment 3',
    'Edited since',
    'Comment 1',
  ])
})

test('only the latest and pending comments are shown if fewer than three are loaded', () => {
  expect(contents(withNewest(comments(3)), [pending, ...comments(3, 2, 1)])).toEqual(['Mine', 'Comment 3'])
  expect(contents(withNewest([]))).toEqual([])
})

test('a pending comment is the newest, even if the browser’s clock is wrong', () => {
  const early = { ...pending, createdAt: '2001-01-01T00:00:00.000Z' }

  expect(contents(withComment(early))[0]).toBe('Mine')
})

test('a comment is added once, in order of age', () => {
  expect(contents(withComment(aComment(2)), comments(3, 1))).toEqual(['Comment 3', 'Comment 2', 'Comment 1'])
  expect(contents(withComment(aComment(2)))).toEqual(['Comment 3', 'Comment 2', 'Comment 1'])
  expect(contents(withComment(aComment(4)))).toEqual(['Comment 4', 'Comment 3', 'Comment 2', 'Comment 1'])
  expect(contents(withComment(aComment(1)), [])).toEqual(['Comment 1'])
})

test('a created comment replaces its pending one, even if it has already arrived', () => {
  const made = aComment(4, 'Ben', { content: 'Mine' })

  expect(contents(withSettled(pending.commentId, made), [pending, ...comments(3)])).toEqual(['Mine', 'Comment 3'])
  expect(contents(withSettled(pending.commentId, made), [pending, made, ...comments(3)])).toEqual(['Mine', 'Comment 3'])
  expect(contents(withSettled(pending.commentId, made), comments(3))).toEqual(['Mine', 'Comment 3'])
})

test('a changed comment keeps its place, and an unknown one is not added', () => {
  const changed = aComment(2, 'Ana', { content: 'Changed' })

  expect(contents(withChanged(changed))).toEqual(['Comment 3', 'Changed', 'Comment 1'])
  expect(contents(withChanged(changed), comments(3))).toEqual(['Comment 3'])
  expect(contents(withoutComment('comment-02'))).toEqual(['Comment 3', 'Comment 1'])
})

test('a comment is edited if it changed after its creation, and pending until the server replies', () => {
  const { createdAt } = aComment(1)

  expect([isEdited(aComment(1)), isEdited({ createdAt, updatedAt: '2026-03-03T20:01:00.001Z' })]).toEqual([false, true])
  expect([isPending(aComment(1)), isPending(pending)]).toEqual([false, true])
})
