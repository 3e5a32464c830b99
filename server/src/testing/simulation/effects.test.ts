import { expect, test } from 'vitest'

import type { Change } from './change-log.ts'
import type { Answer, Entry } from './clients.ts'
import { auditEffects } from './effects.ts'

const NOT_FOUND: Answer = { status: 404, body: {}, etag: undefined }

const DELETED: Change = { seq: 1, table: 'card', watchlistId: 'w', was: { id: 'c' }, is: undefined }

const auditDelete = (...answers: (Answer | undefined)[]): string[] => {
  const entry: Entry = {
    by: { userId: 'u', username: 'ana' },
    request: { kind: 'delete', cardId: 'c' },
    isKeyed: false,
    attempts: answers.map((answer) => ({ from: 0, to: 1, answer })),
  }
  return auditEffects({ watchlistId: 'w', journal: [entry], changes: [DELETED] })
}

test('a deleted card whose deletion answered 404 is a finding', () => {
  expect(auditDelete(NOT_FOUND)).toEqual(['delete: 1 times more than was asked for'])
})

test('a deletion whose first reply was lost may answer 404 the second time', () => {
  expect(auditDelete(undefined, NOT_FOUND)).toEqual([])
})

test('a deletion that the load balancer sent to two processes may answer 404', () => {
  expect(auditDelete({ ...NOT_FOUND, isSentBefore: true })).toEqual([])
})
