/* oxlint-disable typescript/no-unsafe-member-access -- without types */
// Before the first paint: the theme, as in src/ui/theme.ts, and the kept screen (src/offline/last-screen.ts).
;(() => {
  let choice
  let kept
  try {
    choice = localStorage.getItem('marquee.theme')
    kept = localStorage.getItem('marquee.last-screen')
  } catch {
    // There is no storage.
  }
  const [, src, path] = /^{"script":"(\/assets\/show-last-screen-[\w-]+\.js)","path":"([^"]+)"/.exec(kept) ?? []
  if (src && [path, '/'].includes(location.pathname) && !location.hash) {
    document.head.append(Object.assign(document.createElement('script'), { src }))
  }
  if (choice !== 'dark' && choice !== 'light') return
  document.documentElement.dataset.theme = choice
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.setAttribute('media', meta.dataset.scheme === choice ? 'all' : 'not all')
  }
})()
