/* oxlint-disable no-restricted-globals -- served without a build step, apart from the app */

// Leaves the offline page as soon as the server answers again. The browser only knows whether there is a network at all.

const LOOK_MS = 2_000

async function look() {
  try {
    const { ok } = await fetch('/config.json', { cache: 'no-store' })
    if (ok) location.reload()
  } catch {
    // There is still no connection.
  }
}

addEventListener('online', () => void look())
setInterval(() => void look(), LOOK_MS)
