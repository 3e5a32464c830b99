import { useEffect } from 'react'

import { lazyPart } from '#web/ui/lazy-part.tsx'

/** Asks before a sign-out that would lose what waits to be sent. */
export const LeaveQuestion = lazyPart({
  load: async () => (await import('./leave-question.tsx')).LeaveQuestion,
  Failed: Leave,
})

/** What waits cannot be shown, so there is nothing to ask. */
function Leave({ onLeave }: { onLeave: () => void }) {
  useEffect(onLeave)
  return null
}
