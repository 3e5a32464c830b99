import { useSyncExternalStore } from 'react'

import { forgetHostedTarget } from './hosted-target.ts'

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
