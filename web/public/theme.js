/* oxlint-disable typescript/no-unsafe-member-access -- served as it stands here, without types */
// Runs before the first paint, so that whoever chose another theme than their system's never sees that one flash. The
// same as applyTheme in src/ui/theme.ts, which is too late for it; a test holds one against the other.
;(() => {
  let choice
  try {
    choice = localStorage.getItem('marquee.theme')
  } catch {
    // A browser that keeps nothing follows the system.
  }
  if (choice !== 'dark' && choice !== 'light') return
  document.documentElement.dataset.theme = choice
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.setAttribute('media', meta.dataset.scheme === choice ? 'all' : 'not all')
  }
})()
