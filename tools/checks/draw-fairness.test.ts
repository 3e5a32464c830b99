import { expect, test } from 'vitest'

import { CASES, chiSquareOf, fairnessTable } from '../run/draw-fairness.ts'
import { read } from './repository.ts'

const TRIES_ALL = process.env['MARQUEE_VARIATIONS'] === 'all'
/** The command of the same name makes 100,000. */
const DRAWS = TRIES_ALL ? 10_000 : 4_000

test.each(Object.entries(CASES))('draws by the rule %s match the calculated odds', (_rule, { people, critical }) => {
  expect(chiSquareOf(people, DRAWS)).toBeLessThan(critical)
})

// 31,200 draws. That draws have not changed is also tested by the vectors of `contract/src/rules/draw.test.ts`.
test.runIf(TRIES_ALL)('docs/product/draws.md shows the table of tools/run/draw-fairness.ts', () => {
  const withoutSpaces = (text: string) => text.replaceAll(/ +/gu, ' ').replaceAll(/-+/gu, '-')

  expect(withoutSpaces(read('docs/product/draws.md'))).toContain(withoutSpaces(fairnessTable()))
})
