/* oxlint-disable no-restricted-globals, no-restricted-properties, typescript/no-unnecessary-condition, typescript/no-unsafe-member-access
   -- before the app, and without types */
// Before the first paint, while the code of the app loads: the theme, the kept screen, and the first reads of a watchlist.
;(() => {
  const TIMEOUT_MS = 30_000
  /** The app renews tokens that are this close to their end. */
  const TOLERANCE_MS = 5_000
  /** Its address, from the build (boot.ts). */
  const SCHEMAS = '%chunk:schemas%'

  // The Content-Security-Policy forbids zod to compile schemas, and reports the attempt. Zod reads this when it loads.
  globalThis.__zod_globalConfig = { jitless: true }

  /** As src/ui/theme.ts does. */
  function showTheme() {
    const choice = localStorage.getItem('marquee.theme')
    if (choice !== 'dark' && choice !== 'light') return
    document.documentElement.dataset.theme = choice
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('media', meta.dataset.scheme === choice ? 'all' : 'not all')
    }
  }

  /** See src/offline/last-screen.ts. */
  function showLastScreen() {
    const kept = localStorage.getItem('marquee.last-screen')
    const [, src, path] = /^{"script":"(\/assets\/show-last-screen-[\w-]+\.js)","path":"([^"]+)"/.exec(kept) ?? []
    if (!src || ![path, '/'].includes(location.pathname) || location.hash) return
    document.head.append(Object.assign(document.createElement('script'), { src }))
  }

  /** The app takes the responses over (src/api/early-reads.ts). */
  function readWatchlist() {
    const [, id] = /^\/watchlists\/([\w-]+)$/.exec(location.pathname) ?? []
    const token = id === undefined || id === 'create' ? undefined : validToken()
    if (token === undefined) return
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    if (SCHEMAS.startsWith('/')) {
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: SCHEMAS }))
    }
    const urls = [`/api/watchlists/${id}`, `/api/watchlists/${id}/cards?limit=10`]
    globalThis.marqueeReads = new Map(
      urls.map((url) => {
        const response = fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
        // The call that takes it handles the failure.
        response.catch(() => undefined)
        return [url, { headers, response }]
      }),
    )
  }

  /** As src/session/kept-tokens.ts reads it. With tokens of several clients, only the app knows which to use. */
  function validToken() {
    const [key, ...others] = Object.keys(localStorage).filter((name) => /^Cognito\w+\.[^.]+\.LastAuthUser$/.test(name))
    if (key === undefined || others.length > 0) return undefined
    const prefix = key.slice(0, key.lastIndexOf('.'))
    const token = localStorage.getItem(`${prefix}.${localStorage.getItem(key)}.idToken`)
    const payload = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(atob(payload)).exp * 1000 - TOLERANCE_MS >= Date.now() ? token : undefined
  }

  for (const step of [showTheme, showLastScreen, readWatchlist]) {
    try {
      step()
    } catch {
      // There is no storage, or something else is in it. The app does without.
    }
  }
})()
