import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { CardDescription } from './card-description.tsx'

tidyUp()

// Evidence: asvs-1.2.2
test('addresses with http, https or www. open in a new tab, and others stay text', async () => {
  await renderPart(
    <CardDescription text="See http://a.org/x and https://b.org or www.c.org, not d.org, ana@e.org or javascript:alert(1)" />,
  )

  const links = await screen.findAllByRole<HTMLAnchorElement>('link')
  expect(links.map((link) => link.href)).toEqual(['http://a.org/x', 'https://b.org/', 'https://www.c.org/'])
  expect(links.every(({ target, rel }) => target === '_blank' && rel.includes('noopener'))).toBe(true)
})

test.each([null, ''])('a card without a description shows a replacement text: %j', async (text) => {
  await renderPart(<CardDescription text={text} />)

  expect(screen.getByText('No description provided')).toBeTruthy()
})

// Evidence: asvs-1.2.1, asvs-3.2.2
test('markup in a description is shown as text', async () => {
  await renderPart(<CardDescription text={'<img src=x onerror="alert(1)">'} />)

  expect(screen.getByText('<img src=x onerror="alert(1)">')).toBeTruthy()
})

test('a long description is folded until the user opens it', async () => {
  await renderPart(<CardDescription text={'very long '.repeat(60)} />)

  await userEvent.click(screen.getByRole('button', { name: 'Show all', expanded: false }))

  expect(screen.getByRole('button', { name: 'Show less', expanded: true })).toBeTruthy()
})
