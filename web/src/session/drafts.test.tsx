import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'

import { aSession } from '#web/testing/open-app.tsx'
import { tidyUp } from '#web/testing/render-part.tsx'

import { SessionContext } from './use-session.ts'
import { useDraft, useDraftsUntilSignOut } from './drafts.ts'

tidyUp()
afterEach(() => sessionStorage.clear())

function Field({ place }: { place: string }) {
  const draft = useDraft(place)
  const [text, setText] = useState(() => draft.read() ?? '')
  return (
    <input
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        draft.save(target.value)
      }}
    />
  )
}

/** Opens a field as this user, as after a reload. */
async function openField(userId: string | undefined, place = 'comment.c1') {
  const session = aSession(userId === undefined ? undefined : { userId, username: userId, loginId: userId })
  await session.refresh()
  const { unmount } = render(
    <SessionContext value={session}>
      <Field place={place} />
    </SessionContext>,
  )
  return { field: screen.getByRole<HTMLInputElement>('textbox'), leave: unmount }
}

async function typed(text: string): Promise<void> {
  const { field, leave } = await openField('ana')
  await userEvent.type(field, text)
  leave()
}

test('a draft is restored only in its place and for its user', async () => {
  await typed('half a thought')

  const found = []
  for (const [userId, place] of [
    ['ana', 'comment.c1'],
    ['ana', 'comment.c2'],
    ['ben', 'comment.c1'],
    [undefined, 'comment.c1'],
  ] as const) {
    const { field, leave } = await openField(userId, place)
    found.push(field.value)
    leave()
  }
  expect(found).toEqual(['half a thought', '', '', ''])
})

test('text that was typed and deleted leaves no draft', async () => {
  await typed('x{Backspace}')

  expect(sessionStorage).toHaveLength(0)
})

function Screen() {
  useDraftsUntilSignOut()
  return null
}

/** Ana's screen, where something was typed and not sent. */
async function openScreen() {
  await typed('half a thought')
  const session = aSession({ userId: 'ana', username: 'ana', loginId: 'ana@example.org' })
  await session.refresh()
  render(
    <SessionContext value={session}>
      <Screen />
    </SessionContext>,
  )
  return session
}

test('signing out removes the drafts of this tab and nothing else', async () => {
  sessionStorage.setItem('other', 'stays')
  const session = await openScreen()
  expect(sessionStorage).toHaveLength(2)

  await session.signOut()

  expect(Object.keys(sessionStorage)).toEqual(['other'])
})

test('a session that expires keeps the drafts', async () => {
  const session = await openScreen()

  await session.expired()

  expect(sessionStorage).toHaveLength(1)
})

test('a user can type even if the browser cannot store drafts', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const { field } = await openField('ana')

  await userEvent.type(field, 'still here')

  expect(field.value).toBe('still here')
})
