import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'

import { Columns } from './bars.tsx'

afterEach(cleanup)

/** The texts below the columns, by column. */
function labelsBelow(columns: number): string[] {
  const bars = Array.from({ length: columns }, (_, n) => ({ key: `${n}`, label: `Month ${n + 1}`, value: n }))
  const { container } = render(<Columns bars={bars} />)
  return Array.from(container.firstElementChild?.lastElementChild?.children ?? [], (cell) => cell.textContent)
}

test.each([
  [3, ['Month 1', 'Month 2', 'Month 3']],
  [6, ['', 'Month 2', '', 'Month 4', '', 'Month 6']],
  [12, ['', 'Month 2', '', '', 'Month 5', '', '', 'Month 8', '', '', 'Month 11', '']],
])('each label in a chart of %i columns is below its own column', (columns, labels) => {
  expect(labelsBelow(columns)).toEqual(labels)
})
