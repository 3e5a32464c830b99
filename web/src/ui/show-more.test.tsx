import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { ShowMore } from './show-more.tsx'

tidyUp()

/** A list of which one entry more is shown at a time, with another list below it. */
function Lists({ titles, onMore }: { titles: readonly string[]; onMore: () => Promise<void> }) {
  const [count, setCount] = useState(1)
  const [isBusy, setBusy] = useState(false)
  const more = async () => {
    setBusy(true)
    await onMore()
    setBusy(false)
    setCount(count + 1)
  }
  return (
    <div>
      <ul>
        {titles.slice(0, count).map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
      {count < titles.length && (
        <ShowMore busy={isBusy} onMore={more}>
          {'Show more'}
        </ShowMore>
      )}
      <ul>
        <li>{'Of others'}</li>
      </ul>
    </div>
  )
}

const focused = () => document.activeElement?.textContent

test('the focus moves to the first newly loaded entry, even if it is the last', async () => {
  render(<Lists titles={['Ran', 'Heat', 'Yi Yi']} onMore={async () => {}} />)

  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(focused()).toBe('Heat'))

  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(focused()).toBe('Yi Yi'))
  expect(screen.queryByRole('button')).toBeNull()
})
