/** A page that is out of sight for so long is not being looked at. */
const OUT_OF_SIGHT_MS = 10_000

/**
 * Keeps something going while the page is looked at: it starts when the page is in sight, ends some time after it is
 * hidden or at once when it is put away, and starts anew when the network is back. A browser opens few connections to one
 * server (six over HTTP/1.1, for all tabs together): hidden tabs must not hold any. Gives a function that ends it all.
 */
export function whileSeen(start: () => () => void): () => void {
  let stop: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = () => {
    clearTimeout(timer)
    stop?.()
    stop = undefined
  }
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') stop ??= start()
    else if (stop !== undefined) timer = setTimeout(end, OUT_OF_SIGHT_MS)
  }
  const startAnew = () => {
    end()
    look()
  }

  document.addEventListener('visibilitychange', look)
  globalThis.addEventListener('pageshow', look)
  globalThis.addEventListener('pagehide', end)
  globalThis.addEventListener('online', startAnew)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    globalThis.removeEventListener('pageshow', look)
    globalThis.removeEventListener('pagehide', end)
    globalThis.removeEventListener('online', startAnew)
    end()
  }
}
