import { isDamage } from '../runtime/outage.ts'

/** Remembers whether a statement found the database damaged, and reports it the first time. */
export function watchForDamage(report: (error: unknown) => void = () => undefined): {
  lookAt: (error: unknown) => void
  isFound: () => boolean
} {
  let isFound = false
  return {
    lookAt: (error) => {
      if (isFound || !isDamage(error)) return
      isFound = true
      report(error)
    },
    isFound: () => isFound,
  }
}
