import { expect, test } from 'vitest'

import { CASES, chiSquareOf, fairnessTable } from '../run/draw-fairness.ts'
import { read } from './repository.ts'

/** The command of the same name makes 100,000. */
const DRAWS = 10_000

test.each(Object.entries(CASES))('draws by the rule %s have the exact odds', (_rule, { people, critical }) => {
  expect(chiSquareOf(people, DRAWS)).toBeLessThan(critical)
})

test('docs/product/draws.md shows the table of tools/run/draw-fairness.ts', () => {
  const withoutSpaces = (text: string) => text.replaceAll(/ +/gu, ' ').replaceAll(/-+/gu, '-')

  expect(withoutSpaces(read('docs/product/draws.md'))).toContain(withoutSpaces(fairnessTable()))
})
