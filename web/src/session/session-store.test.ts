import { expect, test } from 'vitest'

import type { Account, SessionUser } from '#web/account/account.ts'

import { createSessionStore } from './session-store.ts'

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
  return { browser, store: createSessionStore(account) }
}

test('a tab is loading until it has read the session', async () => {
  const { store } = aBrowser(ana)
  expect(store.current()).toEqual({ state: 'loading', isUnreachable: false })

  await store.refresh()

  expect(store.current()).toEqual({ state: 'signed-in', user: ana })
})

test('a tab that cannot read the session stays loading', async () => {
  const { browser, store } = aBrowser(ana)
  browser.isReachable = false

  await expect(store.refresh()).rejects.toThrow('A network error has occurred.')

  expect(store.current()).toEqual({ state: 'loading', isUnreachable: false })
})

test('a service that does not answer is reported only while the session is unknown', async () => {
  const { browser, store } = aBrowser(ana)
  browser.isReachable = false

  store.reportUnreachable()
  expect(store.current()).toEqual({ state: 'loading', isUnreachable: true })

  browser.isReachable = true
  await store.refresh()
  store.reportUnreachable()
  expect(store.current()).toEqual({ state: 'signed-in', user: ana })
})

test('a sign-out ends the session even if the service does not answer', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()
  browser.isReachable = false

  await expect(store.signOut()).rejects.toThrow('A network error has occurred.')

  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
})

test('a sign-out in another tab counts as leaving', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()

  browser.user = undefined
  await store.refresh()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
})

test('a sign-in of another user in another tab is reported', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()
  const seen: unknown[] = []
  store.subscribe(() => seen.push(store.current()))

  browser.user = ben
  await store.refresh()

  expect(seen).toEqual([{ state: 'signed-in', user: ben }])
})

test('reading the same user again notifies no listener', async () => {
  const { store } = aBrowser(ana)
  await store.refresh()
  let told = 0
  store.subscribe(() => (told += 1))

  await store.refresh()

  expect(told).toBe(0)
})

test('a change while the tab reads the session makes it read again', async () => {
  const { browser, store } = aBrowser()

  const first = store.refresh()
  browser.user = ana
  const second = store.refresh()
  await Promise.all([first, second])

  expect(store.current()).toEqual({ state: 'signed-in', user: ana })
})

test('a session whose token cannot be renewed has expired', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()

  browser.user = undefined

  expect(await store.renewedIdToken()).toBeUndefined()
  expect(store.current()).toEqual({ state: 'signed-out', because: 'expired' })
})

test('a session the server no longer accepts has expired, and its tokens are forgotten', async () => {
  const { browser, store } = aBrowser(ana)
  await store.refresh()

  await store.expired()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'expired' })
  expect(browser.user).toBeUndefined()
})

test('a call that is refused after the sign-out does not expire the session', async () => {
  const { store } = aBrowser(ana)
  await store.refresh()
  await store.signOut()

  await store.expired()

  expect(store.current()).toEqual({ state: 'signed-out', because: 'left' })
})
