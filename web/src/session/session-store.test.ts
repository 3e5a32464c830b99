import { afterEach, expect, test } from 'vitest'

import type { Account, SessionUser } from '#web/account/account.ts'

import { createSessionStore } from './session-store.ts'

afterEach(() => localStorage.clear())

const ana: SessionUser = { userId: 'u1', username: 'Ana', loginId: 'ana@example.org' }
const ben: SessionUser = { userId: 'u2', username: 'Ben', loginId: 'ben@example.org' }

/** The tokens of a browser. Another tab or the server may change them. */
function aBrowser(user?: SessionUser) {
  const browser = { user, isReachable: true }
  const account: Account = {
    readUser: async () => {
      if (!browser.isReachable) throw new Error('A network error has occurred.')
      return browser.user
    },
    idToken: async () => browser.user && `token of ${browser.user.username}`,
    signOut: async () => {
      browser.user = undefined
      if (!browser.isReachable) throw new Error('A network error has occurred.')
    },
  }
  return { browser, store: createSessionStore(account), openTab: () => createSessionStore(account) }
}

test('a tab is loading until it has read the session', async () => {
  const { store } = aBrowser(ana)
  expect(store.current()).toEqual({ state: 'loading', isUnreachable: false })

  await store.refresh()

  expect(store.current()).toEqual({ state: 'signed-in', user: ana })
})

test('a tab that cannot read the session remains in the loading state', async () => {
  const { browser, store } = aBrowser(ana)
  browser.isReachable = false

  await expect(store.refresh()).rejects.toThrow('A network error has occurred.')

  expect(store.current()).toEqual({ state: 'loading', isUnreachable: false })
})

test('an unreachable service is reported only until the session is known', async () => {
  const { browser, store } = aBrowser(ana)
  browser.isReachable = false

  store.reportUnreachable()
  expect(store.current()).toEqual({ state: 'loading', isUnreachable: true })

  browser.isReachable = true
  await store.refresh()
  store.reportUnreachable()
  expect(store.current()).toEqual({ state: 'signed-in', user: ana })
})

test('a sign-out ends the session even if the service cannot be reached', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()
  browser.isReachable = false

  await expect(store.signOut()).rejects.toThrow('A network error has occurred.')

  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
})

test('a sign-out in another tab counts as a sign-out in this one', async () => {
  const { store, openTab } = aBrowser(ana)
  await store.refresh()
  const other = openTab()
  await other.refresh()

  await other.signOut()
  await store.look()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
})

test.each(['expired', 'signInAgain'] as const)(
  'a session that ends in one tab (%s) has expired in the others',
  async (how) => {
    const { store, openTab } = aBrowser(ana)
    await store.refresh()
    const other = openTab()
    await other.refresh()

    await other[how]()
    await store.look()

    expect(store.current()).toEqual({ state: 'signed-out', because: 'expired' })
  },
)

test('a later session that expires in one tab has expired in the others', async () => {
  const { browser, store, openTab } = aBrowser(ana)
  await store.refresh()
  await store.signOut()
  browser.user = ana
  await store.refresh()
  const other = openTab()
  await other.look()

  await other.expired()
  await store.look()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'expired' })
})

test('a tab that asks for a token after a sign-out in another tab is signed out', async () => {
  const { store, openTab } = aBrowser(ana)
  await store.refresh()
  await openTab().signOut()

  expect(await store.idToken()).toBeUndefined()
  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
})

test('a tab whose call is rejected after a sign-out in another tab is signed out, not expired', async () => {
  const { store, openTab } = aBrowser(ana)
  await store.refresh()
  await openTab().signOut()

  await store.expired()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
})

test('a tab opened during a sign-out is signed out once that is done', async () => {
  const service = Promise.withResolvers<void>()
  const browser: { user: SessionUser | undefined } = { user: ana }
  const account: Account = {
    readUser: async () => browser.user,
    idToken: async () => 'token',
    signOut: async () => {
      await service.promise
      browser.user = undefined
    },
  }
  const [store, other] = [createSessionStore(account), createSessionStore(account)]
  await store.refresh()
  const leaving = store.signOut()
  await other.look()
  expect(other.current()).toEqual({ state: 'signed-in', user: ana })

  service.resolve()
  await leaving
  await other.look()

  expect(other.current()).toEqual({ state: 'signed-out', because: 'left' })
})

test('a tab that found its session expired is signed out once it sees the sign-out of another tab', async () => {
  const { browser, store, openTab } = aBrowser(ana)
  await store.refresh()
  const other = openTab()
  await other.refresh()
  const seen: unknown[] = []
  other.subscribe(() => seen.push(other.current()))

  // The tab with the button removes all sessions, and looks afterwards.
  browser.user = undefined
  await other.look()
  await store.refresh()
  await other.look()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
  expect(seen).toEqual([
    { state: 'signed-out', because: 'expired' },
    { state: 'signed-out', because: 'left' },
  ])
})

test('a tab notices a sign-out even if another user has signed in since', async () => {
  const { browser, store, openTab } = aBrowser(ana)
  await store.refresh()
  const seen: unknown[] = []
  store.subscribe(() => seen.push(store.current()))

  await openTab().signOut()
  browser.user = ben
  await store.look()

  expect(seen).toEqual([
    { state: 'signed-out', because: 'left' },
    { state: 'signed-in', user: ben },
  ])
})

test('a user who was let in offline must sign in again if the session is over', async () => {
  const { browser, store } = aBrowser()
  browser.isReachable = false
  store.reportUnreachable(ana)

  browser.isReachable = true
  await store.look()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'expired' })
})

test('a sign-in of another user in another tab is noticed', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()
  const seen: unknown[] = []
  store.subscribe(() => seen.push(store.current()))

  browser.user = ben
  await store.refresh()

  expect(seen).toEqual([{ state: 'signed-in', user: ben }])
})

test('reading an unchanged user notifies no listener', async () => {
  const { store } = aBrowser(ana)
  await store.refresh()
  let told = 0
  store.subscribe(() => (told += 1))

  await store.refresh()

  expect(told).toBe(0)
})

test('a change during a read of the session makes the tab read again', async () => {
  const { browser, store } = aBrowser()

  const first = store.refresh()
  browser.user = ana
  const second = store.refresh()
  await Promise.all([first, second])

  expect(store.current()).toEqual({ state: 'signed-in', user: ana })
})

test('a session whose token cannot be renewed expires', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()

  browser.user = undefined

  expect(await store.renewedIdToken()).toBeUndefined()
  expect(store.current()).toEqual({ state: 'signed-out', because: 'expired' })
})

test('a session that the server rejects expires, and its tokens are removed', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()

  await store.expired()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'expired' })
  expect(browser.user).toBeUndefined()
})

test('a call that is rejected after the sign-out does not change the reason of the sign-out', async () => {
  const { store } = aBrowser(ana)
  await store.refresh()
  await store.signOut()

  await store.expired()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
})
