import { matchPath } from 'react-router'

import { connection } from '#web/api/connection.ts'
import { userPool } from '#web/config.ts'
import { momentText } from '#web/i18n/dates.ts'
import { LANGUAGE_SETTING } from '#web/i18n/language.ts'
import { translationOf } from '#web/i18n/texts.ts'
import { ROUTES } from '#web/paths.ts'
import { keptTokens } from '#web/session/kept-tokens.ts'
import { LAST_SCREEN_ID } from '#web/ui/last-screen.tsx'
import { isPhone } from '#web/ui/use-is-phone.ts'

import { forgetLastScreen, KEEP_SETTING, LAST_SCREEN } from './device-copy.ts'
import { keptSince } from './kept-since.ts'
import script from './show-last-screen.js?url'

/** An element is its tag, its attributes and its children. A text is a text. */
type Part = string | [tag: string, attributes: Readonly<Record<string, string>>, ...children: Part[]]

/** `script` and `path` come first: public/boot.js reads them. */
type LastScreen = {
  /** Shows it. Each build has its own. */
  script: string
  path: string
  /** The style sheet that it was made for. */
  styles: string
  /** What must be in the local storage as it was: the same user, language and settings. */
  unchanged: (readonly [key: string, value: string | null])[]
  tree: Part
}

/** The first screen of a watchlist has some 20,000 characters. */
const MOST_CHARACTERS = 100_000
/** What is just below the screen is kept too, so that no edge is seen where something is left out. */
const BELOW_PX = 200

/** How an element looks. What it is called, where it leads to and what was typed into it stay out. */
const LOOKS =
  /^(?:class|style|dir|lang|type|disabled|placeholder|src|srcset|sizes|alt|width|height|referrerpolicy|viewBox|fill|stroke(?:-\w+)*|d|points|[cr][xy]|r|[xy][12]?|transform|aria-(?:current|expanded|pressed|selected|checked|invalid)|data-(?!page|cards|discover).+)$/u
/** What tells of a moment: messages that go by themselves. */
const PASSING = '[data-passing]'
/** The user is in the middle of something, or something has failed. */
const NO_MOMENT = 'dialog[open], [data-open], [role="alert"], form:focus-within'

/** The watchlist whose screen is kept. */
export function lastScreenWatchlist(): string | undefined {
  const [, path = ''] = /"path":"([^"]+)"/u.exec(localStorage.getItem(LAST_SCREEN) ?? '') ?? []
  return watchlistOf(path)
}

function watchlistOf(path: string): string | undefined {
  return path === ROUTES.createWatchlist ? undefined : matchPath(ROUTES.watchlist, path)?.params.watchlistId
}

/**
 * Keeps the top of the open watchlist as it looks, to show it when the app starts again. Only while the service worker keeps its
 * code and its pictures, and if all of it is from the server.
 */
export function keepLastScreen(userId: string, memberOf: ReadonlySet<string>): void {
  const root = document.querySelector('#root')
  const styles = document.querySelector('link[rel="stylesheet"]')?.getAttribute('href')
  const { pathname, hash } = location
  const watchlistId = watchlistOf(pathname)
  const tokens = keptTokens(userPool()?.userPoolClientId ?? '')
  if (root === null || typeof styles !== 'string' || tokens.read('any-age')?.user.userId !== userId) return
  if (watchlistId === undefined || !memberOf.has(watchlistId) || hash !== '' || scrollY !== 0) return
  // Browsers have no workers without HTTPS.
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller === null) return
  if (connection.current() !== 'online' || keptSince.size > 0) return
  if (document.querySelector(`#${LAST_SCREEN_ID}`) !== null || root.querySelector(NO_MOMENT) !== null) return

  const unchanged = [tokens.key, LANGUAGE_SETTING, KEEP_SETTING].map((key) => [key, localStorage.getItem(key)] as const)
  const screen: LastScreen = { script, path: pathname, styles, unchanged, tree: pictureOf(root) }
  const text = JSON.stringify(screen)
  if (text.length > MOST_CHARACTERS) forgetLastScreen()
  else localStorage.setItem(LAST_SCREEN, text)
}

/** The screen, and how old it is. On a screen of another width it is not shown, since the app may have other elements there. */
function pictureOf(root: Element): Part {
  const { lang, dir } = document.documentElement
  const age = translationOf('watchlist').t('connection.renewing', { time: momentText(new Date().toISOString()) })
  const look = 'fixed inset-0 z-50 overflow-hidden bg-canvas'
  const attributes = {
    id: LAST_SCREEN_ID,
    class: `${look} ${isPhone() ? 'sm:hidden' : 'max-sm:hidden'}`,
    lang,
    dir,
    inert: '',
    'aria-hidden': 'true',
  }
  const ageLook =
    'fixed inset-x-4 bottom-4 z-40 mx-auto w-fit rounded-control border border-line bg-surface px-2 py-1 text-center text-xs text-muted max-sm:bottom-[calc(10rem+env(safe-area-inset-bottom))]'
  return ['div', attributes, ...childrenOf(root), ['p', { class: ageLook }, age]]
}

function childrenOf(element: Element): Part[] {
  if (element.tagName === 'TEXTAREA') return []
  return [...element.childNodes].flatMap((child): Part[] => {
    if (child instanceof Text) return child.data === '' ? [] : [child.data]
    if (!(child instanceof HTMLElement || child instanceof SVGElement) || child.matches(PASSING)) return []
    const children = childrenOf(child)
    // What is below the screen may have something that is fixed to it.
    if (!isOnScreen(child) && !children.some((part) => typeof part !== 'string')) return []
    return [[child.localName, looksOf(child), ...children]]
  })
}

function isOnScreen(element: Element): boolean {
  const { top, bottom, width, height } = element.getBoundingClientRect()
  return bottom >= 0 && top < innerHeight + BELOW_PX && (width > 0 || height > 0)
}

function looksOf(element: Element): Record<string, string> {
  const looks = [...element.attributes].filter(({ name }) => LOOKS.test(name))
  return Object.fromEntries(looks.map(({ name, value }) => [name, value]))
}
