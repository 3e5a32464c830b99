import type { Query } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { connection } from '#web/api/connection.ts'
import { userPool } from '#web/config.ts'
import { keptTokens } from '#web/session/kept-tokens.ts'

import { forgetLastScreen, KEEP_SETTING, LAST_SCREEN } from './device-copy.ts'
import { keptSince } from './kept-since.ts'
import { keepLastScreen, lastScreenWatchlist } from './last-screen.ts'
import program from './show-last-screen.js?raw'

const CLIENT = userPool()?.userPoolClientId ?? ''
const USER_KEY = keptTokens(CLIENT).key
const MEMBER_OF = new Set(['w1'])

/** The app shows this. `at` is how far an element is from the top. */
const SCREEN = `
  <main id="content" class="wide" data-state="open" data-cards="3">
    <h1 class="title" title="Not kept">Friday <b>film</b> club</h1>
    <a href="/secret" class="link">Night Tram</a>
    <svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>
    <img src="/images/tram.webp" alt="" style="width: 4px" onload="run()">
    <textarea class="field">Half a thought</textarea>
    <input class="field" type="text" value="Half a title" placeholder="Title">
    <p data-passing="">Saved</p>
    <section at="5000"><p at="5000">Far below</p></section>
  </main>`

function token(sub: string): string {
  return `x.${btoa(JSON.stringify({ sub, 'cognito:username': 'Ana' }))}.x`
}

/** Starts the program as public/boot.js does. */
function start(): void {
  document.head.append(Object.assign(document.createElement('script'), { textContent: program }))
}

/** The page at its start has no screen yet. */
function leave(): void {
  document.body.innerHTML = '<div id="root"></div>'
}

/** The service workers of this browser. */
function workAs(value: { controller: object | null }): void {
  Object.defineProperty(navigator, 'serviceWorker', { value, configurable: true })
}

const shown = () => document.querySelector('#last-screen')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 28, 20, 0) })
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  workAs({ controller: {} })
  // A file before this one in the same worker may have lost it.
  vi.spyOn(connection, 'current').mockReturnValue('online')
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function place(this: Element) {
    return new DOMRect(0, Number(this.getAttribute('at') ?? 0), 100, 20)
  })
  history.replaceState(null, '', '/watchlists/w1')
  localStorage.setItem(USER_KEY, 'ana')
  localStorage.setItem(USER_KEY.replace('LastAuthUser', 'ana.idToken'), token('ana'))
  document.head.innerHTML = '<link rel="stylesheet" href="/assets/start-1.css">'
  document.body.innerHTML = `<div id="root">${SCREEN}</div>`
})

afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  keptSince.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  document.head.innerHTML = ''
  document.body.innerHTML = ''
  history.replaceState(null, '', '/')
})

test('the app starts with the last screen as it looked, and shows how old it is', () => {
  keepLastScreen('ana', MEMBER_OF)
  leave()
  start()

  expect(lastScreenWatchlist()).toBe('w1')
  expect(shown()?.textContent.replaceAll(/\s+/gu, ' ').trim()).toBe(
    'Friday film club Night Tram Last updated Nov 28, 2026, 8:00 PM. Loading what is new...',
  )
  expect(shown()?.querySelector('main')?.outerHTML).toContain('<main class="wide" data-state="open">')
  expect(shown()?.querySelector('svg')?.namespaceURI).toBe('http://www.w3.org/2000/svg')
  expect(shown()?.querySelector('img')?.outerHTML).toBe('<img src="/images/tram.webp" alt="" style="width: 4px;">')
})

test('the last screen cannot be used and contains nothing that was typed', () => {
  keepLastScreen('ana', MEMBER_OF)
  leave()
  start()

  expect(shown()?.hasAttribute('inert')).toBe(true)
  expect(shown()?.getAttribute('aria-hidden')).toBe('true')
  expect(shown()?.querySelectorAll('[id], [href], [onload], [title]')).toHaveLength(0)
  expect(localStorage.getItem(LAST_SCREEN)).not.toMatch(/secret|run\(\)|Half a thought|Half a title|Saved|Far below/u)
})

test('the last screen appears once the page has a body', async () => {
  keepLastScreen('ana', MEMBER_OF)
  document.body.innerHTML = ''
  start()
  expect(shown()).toBeNull()

  leave()

  await expect.poll(shown).not.toBeNull()
})

test.each<[string, () => void]>([
  ['another user is signed in', () => localStorage.setItem(USER_KEY, 'ben')],
  ['no one is signed in', () => localStorage.removeItem(USER_KEY)],
  ['the language was changed', () => localStorage.setItem('marquee.language', 'de')],
  ['the user keeps nothing on this device', () => localStorage.setItem(KEEP_SETTING, 'off')],
  ['the build has other styles', () => document.querySelector('link')?.setAttribute('href', '/assets/start-2.css')],
  ['the app already shows a screen', () => document.querySelector('#root')?.append(document.createElement('main'))],
])('the app starts without the last screen if %s', (_, change) => {
  keepLastScreen('ana', MEMBER_OF)
  leave()
  change()
  start()

  expect(shown()).toBeNull()
})

test.each<[string, () => void]>([
  ['the user has left the watchlist', () => history.replaceState(null, '', '/watchlists/w2')],
  ['it is not a watchlist', () => history.replaceState(null, '', '/watchlists/create')],
  ['a link opened the middle of it', () => history.replaceState(null, '', '/watchlists/w1#card-3')],
  [
    'the tokens are of another user',
    () => localStorage.setItem(USER_KEY.replace('LastAuthUser', 'ana.idToken'), token('ben')),
  ],
  ['no worker keeps its pictures', () => workAs({ controller: null })],
  ['a part of it is from this device', () => keptSince.set({} as Query, 1)],
  [
    'a dialog is open',
    () => document.querySelector('#root')?.insertAdjacentHTML('beforeend', '<dialog open></dialog>'),
  ],
  [
    'something has failed',
    () => document.querySelector('#root')?.insertAdjacentHTML('beforeend', '<p role="alert"></p>'),
  ],
])('the screen is not kept if %s', (_, change) => {
  change()
  keepLastScreen('ana', MEMBER_OF)

  expect(localStorage.getItem(LAST_SCREEN)).toBeNull()
})

test('a screen that is too large is not kept, and the previous one is removed', () => {
  keepLastScreen('ana', MEMBER_OF)
  expect(localStorage.getItem(LAST_SCREEN)).not.toBeNull()

  document.querySelector('h1')?.append('a'.repeat(100_001))
  keepLastScreen('ana', MEMBER_OF)

  expect(localStorage.getItem(LAST_SCREEN)).toBeNull()
})

test('forgetting the last screen also forgets its watchlist', () => {
  keepLastScreen('ana', MEMBER_OF)
  forgetLastScreen()

  expect(lastScreenWatchlist()).toBeUndefined()
})
