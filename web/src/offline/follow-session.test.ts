import { afterEach, expect, test } from 'vitest'

import type { Account, SessionUser } from '#web/account/account.ts'
import { createSessionStore } from '#web/session/session-store.ts'

import { followSession } from './follow-session.ts'
import { LAST_SCREEN } from './device-copy.ts'

const ana: SessionUser = { userId: 'ana', username: 'Ana', loginId: 'ana@example.org' }
const DRAFT = 'marquee.draft.ana.comment.c1'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

/** A tab of Ana with a draft and a kept screen, and another tab of the same browser. */
async function twoTabs() {
  const tokens: { user: SessionUser | undefined } = { user: ana }
  const account: Account = {
    readUser: async () => tokens.user,
    idToken: async () => tokens.user && 'token',
    signOut: async () => {
      tokens.user = undefined
    },
  }
  const [tab, other] = [createSessionStore(account), createSessionStore(account)]
  await Promise.all([tab.look(), other.look()])
  followSession(tab)
  sessionStorage.setItem(DRAFT, 'half a thought')
  localStorage.setItem(LAST_SCREEN, 'Friday film club')
  return { tab, other, tokens }
}

const left = () => [sessionStorage.getItem(DRAFT), localStorage.getItem(LAST_SCREEN)]

test('a sign-out in another tab removes the drafts and the kept screen', async () => {
  const { tab, other } = await twoTabs()
  await other.signOut()
  await tab.look()

  expect(left()).toEqual([null, null])
})

test('a session that expires in another tab keeps the drafts and removes the kept screen', async () => {
  const { tab, other } = await twoTabs()
  await other.expired()
  await tab.look()

  expect(left()).toEqual(['half a thought', null])
})

test('drafts are removed even if a tab shows the login screen before it notices the sign-out', async () => {
  const { tab, other, tokens } = await twoTabs()
  tokens.user = undefined
  await tab.look()
  expect(left()).toEqual(['half a thought', null])

  await other.refresh()
  await tab.look()

  expect(left()).toEqual([null, null])
})
