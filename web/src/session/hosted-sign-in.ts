import { useSyncExternalStore } from 'react'

const TARGET_KEY = 'marquee.hosted-target'

/** Remembers where this tab continues after the hosted pages, which always return to the same address. */
export function rememberHostedTarget(target: string): void {
  sessionStorage.setItem(TARGET_KEY, target)
}

/** Where this tab continues after the hosted pages. */
export function hostedTarget(): string | null {
  return sessionStorage.getItem(TARGET_KEY)
}

export function forgetHostedTarget(): void {
  sessionStorage.removeItem(TARGET_KEY)
}

let hasFailed = false
const listeners = new Set<() => void>()

/** Reports a failed sign-in on the hosted pages. */
export function failHostedReturn(): void {
  hasFailed = true
  forgetHostedTarget()
  for (const listener of listeners) listener()
}

/** Whether a sign-in on the hosted pages has failed. */
export function useHostedFailure(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasFailed,
  )
}

const EXTERNAL_KEY = 'marquee.external'

/** Remembers that the session began at the external provider, so that signing out ends there too. */
export function markExternal(): void {
  localStorage.setItem(EXTERNAL_KEY, 'yes')
}

/** Whether the session began at the external provider. Forgets it. */
export function takeExternalMark(): boolean {
  const isMarked = localStorage.getItem(EXTERNAL_KEY) !== null
  localStorage.removeItem(EXTERNAL_KEY)
  return isMarked
}
