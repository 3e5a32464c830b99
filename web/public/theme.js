/* oxlint-disable typescript/no-unsafe-member-access -- served without a build step, without types */
// Runs before the first paint, so that a user who chose another theme never sees the system's theme flash. It does what
// applyTheme in src/ui/theme.ts does later; a test compares the two.
;(() => {
  let choice
  try {
    choice = localStorage.getItem('marquee.theme')
  } catch {
    // Without storage the page follows the system.
  }
  if (choice !== 'dark' && choice !== 'light') return
  document.documentElement.dataset.theme = choice
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.setAttribute('media', meta.dataset.scheme === choice ? 'all' : 'not all')
  }
})()
