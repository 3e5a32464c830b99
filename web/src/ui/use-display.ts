import { useEffect, useEffectEvent } from 'react'

/** Keeps the screen awake while it is visible. Browsers offer this on secure origins only, and give it up when the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const request = async () => {
      if (document.visibilityState !== 'visible') return
      // A device that saves energy may refuse.
      const given = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) await given?.release()
      else lock = given
    }
    const again = () => void request()
    document.addEventListener('visibilitychange', again)
    again()
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [])
}

/** Fills the display, if the browser can. Call it in the handler of a click. */
export function fillDisplay(): void {
  if (document.fullscreenEnabled) void document.documentElement.requestFullscreen().catch(() => {})
}

/** Leaves with the full screen, which Escape ends in the browser, and gives the display back. */
export function useFullScreen(onLeave: () => void): void {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    const follow = () => {
      if (document.fullscreenElement === null) leave()
    }
    document.addEventListener('fullscreenchange', follow)
    return () => {
      document.removeEventListener('fullscreenchange', follow)
      if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {})
    }
  }, [])
}
