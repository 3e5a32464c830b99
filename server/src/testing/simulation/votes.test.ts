import { expect, test } from 'vitest'

import type { Change, Row, Table } from './change-log.ts'
import { auditTallies } from './votes.ts'

const NIGHT = { watchlist_id: 'w', night_id: 'n' }
const VOTE = { ...NIGHT, draw_number: 1 }

function changes(...rows: [Table, Row, Row?][]): Change[] {
  return rows.map(([table, is, was], n) => ({ seq: n + 1, table, watchlistId: 'w', was, is }))
}

const present = (userId: string): [Table, Row] => ['night_presence', { ...NIGHT, user_id: userId, left_at: null }]
const ballot = (userId: string, scores: object, veto: string | null = null): [Table, Row] => [
  'night_ballot',
  { ...VOTE, user_id: userId, scores: JSON.stringify(scores), veto },
]
const pick = (cardId: string, place: number): [Table, Row][] => [
  ['card', { id: cardId, status: 'REVEALED' }],
  ['draw_pick', { draw_number: 1, place, card_id: cardId }],
]
const result = (of: object): [Table, Row] => [
  'night_vote',
  { ...VOTE, closed_at: '2026-01-01', result: JSON.stringify({ cards: [], ...of }) },
]

const EVENING = [
  present('ana'),
  present('ben'),
  ...pick('alien', 0),
  ...pick('brazil', 1),
  ballot('ana', { alien: 1, brazil: 2 }),
  ballot('ben', { alien: 1, brazil: 0 }),
]

test('a result with the totals of the ballots is not a finding', () => {
  expect(auditTallies(changes(...EVENING, result({ winner: 'alien', present: 2, voted: 2 })))).toEqual([])
})

test('a result with another winner is a finding', () => {
  expect(auditTallies(changes(...EVENING, result({ winner: 'brazil', present: 2, voted: 2 })))).toEqual([
    'The vote on draw 1 has the result {"cards":[],"winner":"brazil","present":2,"voted":2} and not ' +
      '{"winner":"alien","present":2,"voted":2}',
  ])
})

test('a total that counts a ballot twice is a finding', () => {
  const cards = [{ cardId: 'alien', total: 3 }]

  expect(auditTallies(changes(...EVENING, result({ winner: 'alien', present: 2, voted: 2, cards })))).toEqual([
    'The vote on draw 1 has the result {"cards":[{"cardId":"alien","total":3}],"winner":"alien","present":2,"voted":2} ' +
      'and not {"winner":"alien","present":2,"voted":2,"totals":[2]}',
  ])
})

test('a vetoed card that wins is a finding', () => {
  const vetoing = [...EVENING, ballot('cleo', { alien: 2, brazil: 0 }, 'alien'), present('cleo')]

  expect(auditTallies(changes(...vetoing, result({ winner: 'alien', present: 3, voted: 3 })))).toEqual([
    'The vote on draw 1 has the result {"cards":[],"winner":"alien","present":3,"voted":3} and not ' +
      '{"winner":"brazil","present":3,"voted":3}',
  ])
})

test('a veto beyond the budget of a member or of a guest is a finding', () => {
  const veto = (userId: string, cardId: string): [Table, Row] => [
    'night_veto',
    { ...NIGHT, user_id: userId, card_id: cardId, seq: 2 },
  ]
  const guest: [Table, Row] = ['night_pass', { ...NIGHT, id: 'yan', kind: 'guest', ended_at: null }]

  expect(
    auditTallies(
      changes(
        ['night_setting', { watchlist_id: 'w', veto_budget: 2 }],
        guest,
        veto('ana', 'alien'),
        ballot('ana', {}, 'brazil'),
        veto('ana', 'clueless'),
        veto('yan', 'dune'),
        ballot('yan', {}, 'brazil'),
      ),
    ),
  ).toEqual(['ana used 3 vetoes of 2', 'yan used 2 vetoes of 1'])
})
