import { expect, test } from 'vitest'

import { aComment } from '#web/testing/samples.ts'

import {
  type CommentChange,
  isEdited,
  isPending,
  oldestFirst,
  pendingComment,
  withChanged,
  withComment,
  withoutComment,
  withSettled,
} from './comment-list.ts'

/** Newest first, as the server sends them. */
const comments = (...nths: number[]) => nths.map((nth) => aComment(nth))
const pending = pendingComment('x', { cardId: 'c1', content: 'Mine', authorId: 'Ben' })
const contents = (change: CommentChange, list = comments(3, 2, 1)) => change(list).map(({ content }) => content)

test('pages and embedded comments are one list, oldest first, each comment once', () => {
  const shown = oldestFirst(comments(5, 4, 3, 2, 1), comments(6, 5, 4))

  expect(shown.map(({ content }) => content)).toEqual([1, 2, 3, 4, 5, 6].map((nth) => `Comment ${nth}`))
})

test('where a page and the card differ about a comment, the card is right', () => {
  const edited = aComment(2, 'Ana', { content: 'Edited since' })

  expect(oldestFirst(comments(2, 1), [edited]).map(({ content }) => content)).toEqual(['Comment 1', 'Edited since'])
})

test('a comment that waits for the server is the newest, whatever the clock of the browser says', () => {
  const early = { ...pending, createdAt: '2001-01-01T00:00:00.000Z' }

  expect(oldestFirst(comments(1), [early, aComment(2)]).at(-1)).toBe(early)
  expect(contents(withComment(early))[0]).toBe('Mine')
})

test('a comment goes where its age puts it, and is there once', () => {
  expect(contents(withComment(aComment(2)), comments(3, 1))).toEqual(['Comment 3', 'Comment 2', 'Comment 1'])
  expect(contents(withComment(aComment(2)))).toEqual(['Comment 3', 'Comment 2', 'Comment 1'])
  expect(contents(withComment(aComment(4)))).toEqual(['Comment 4', 'Comment 3', 'Comment 2', 'Comment 1'])
  expect(contents(withComment(aComment(1)), [])).toEqual(['Comment 1'])
})

test('what the server made of a pending comment takes its place, also where it had come by itself', () => {
  const made = aComment(4, 'Ben', { content: 'Mine' })

  expect(contents(withSettled(pending.commentId, made), [pending, ...comments(3)])).toEqual(['Mine', 'Comment 3'])
  expect(contents(withSettled(pending.commentId, made), [pending, made, ...comments(3)])).toEqual(['Mine', 'Comment 3'])
  expect(contents(withSettled(pending.commentId, made), comments(3))).toEqual(['Mine', 'Comment 3'])
})

test('a changed comment stays where it was, and one that is not there stays away', () => {
  const changed = aComment(2, 'Ana', { content: 'Changed' })

  expect(contents(withChanged(changed))).toEqual(['Comment 3', 'Changed', 'Comment 1'])
  expect(contents(withChanged(changed), comments(3))).toEqual(['Comment 3'])
  expect(contents(withoutComment('comment-02'))).toEqual(['Comment 3', 'Comment 1'])
})

test('edited is what was changed after it was made, pending what has no answer yet', () => {
  const { createdAt } = aComment(1)

  expect([isEdited(aComment(1)), isEdited({ createdAt, updatedAt: '2026-03-03T20:01:00.001Z' })]).toEqual([false, true])
  expect([isPending(aComment(1)), isPending(pending)]).toEqual([false, true])
})
