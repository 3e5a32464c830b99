import { useSyncExternalStore } from 'react'

const KEY = 'marquee.hosted-target'

/** Remembers in this tab, which leaves for the pool's own pages, where it is to go on: they bring it back to one address. */
export function rememberHostedTarget(target: string): void {
  sessionStorage.setItem(KEY, target)
}

/** Where this tab goes on after signing in on the pool's own pages. */
export function hostedTarget(): string | null {
  return sessionStorage.getItem(KEY)
}

export function forgetHostedTarget(): void {
  sessionStorage.removeItem(KEY)
}

let hasFailed = false
const listeners = new Set<() => void>()

/** A sign-in on the pool's own pages did not come to its end. */
export function failHostedReturn(): void {
  hasFailed = true
  forgetHostedTarget()
  for (const listener of listeners) listener()
}

/** Whether this page began with such a failure. */
export function useHostedFailure(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasFailed,
  )
}
