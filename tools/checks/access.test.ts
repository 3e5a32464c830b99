import { expect, test } from 'vitest'

import { ACCESS, isAllowed, type Role, type Verb } from '../../contract/src/access.ts'
import { read } from './repository.ts'

const COLUMNS: readonly (readonly Role[])[] = [
  ['reader'],
  ['reader', 'member'],
  ['reader', 'member', 'author'],
  ['reader', 'member', 'owner'],
  ['nightGuest'],
  ['screen'],
]

// Evidence: asvs-8.1.1
test('docs/product/rules.md shows the table of contract/src/access.ts', () => {
  const rows = (Object.keys(ACCESS) as Verb[]).map((verb) => {
    const cells = COLUMNS.map((roles) => {
      return isAllowed(verb, Object.fromEntries(roles.map((role) => [role, true]))) ? '✓' : ''
    })
    return [ACCESS[verb].action, `\`${verb}\``, ...cells]
  })
  const verbs = new Set(Object.keys(ACCESS).map((verb) => `\`${verb}\``))

  const shown = read('docs/product/rules.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , verb]) => verb !== undefined && verbs.has(verb))
    .map((cells) => cells.slice(1, -1))

  expect(shown).toEqual(rows)
})
