import type { ActionKind } from '#web/offline/outbox/actions.ts'
import { useWaiting } from '#web/offline/outbox/waiting.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

/** What waits in one place of a screen, or was refused. */
export const WaitingItems = lazyPart({
  load: async () => (await import('./waiting-parts.tsx')).WaitingItems,
  Failed: () => null,
})

type WaitingAtProps = {
  /** The id of a card, or of the watchlist of new movies. */
  place: string
  kind: ActionKind
  username?: string
}

/** What of one kind waits in a place, if anything. */
export function WaitingAt({ place, ...props }: WaitingAtProps) {
  const items = useWaiting(place)
  return items.some(({ action }) => action.kind === props.kind) && <WaitingItems items={items} {...props} />
}
