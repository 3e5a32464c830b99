import { useReason } from '#web/i18n/use-reason.ts'
import { FailureText } from '#web/ui/failure-text.tsx'

import { type WatchlistAction, watchlistFailure } from './failure.ts'

/** What failed, and why, for inside of a banner. */
export function WatchlistError({ what, action, error }: { what: string; action: WatchlistAction; error: unknown }) {
  const reason = useReason()
  return <FailureText what={what} why={reason(watchlistFailure(action, error), error)} />
}
