import { focusCard } from '../card/focus-card.ts'
import type { useCardContext } from '../feed/decisions.tsx'
import { RevealNotice, UndoBar } from '../feed/lazy-notices.tsx'
import type { usePlaces } from '../feed/places.ts'

type FeedBarsProps = {
  places: ReturnType<typeof usePlaces>
  decisions: ReturnType<typeof useCardContext>
  /** The user asked for the card that another member revealed. */
  onShow: (cardId: string) => void
  onFocusLost: () => void
}

/** At the bottom of the screen: the next card that another member revealed, and the last decision while it can be undone. */
export function FeedBars({ places: { held, showHeld }, decisions, onShow, onFocusLost }: FeedBarsProps) {
  const [next] = held
  const { decision, isUndoing, undoDecision, forgetDecision } = decisions
  return (
    <div
      data-passing
      className="fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-md flex-col gap-2 empty:hidden max-sm:bottom-[calc(10rem+env(safe-area-inset-bottom))]"
    >
      {next !== undefined && (
        <RevealNotice
          key={next.id}
          card={next}
          onShow={() => {
            onShow(next.id)
            showHeld()
            focusCard(next.id)
          }}
          onClose={showHeld}
          onFocusLost={onFocusLost}
        />
      )}
      {decision !== undefined && (
        <UndoBar
          key={decision.madeAt}
          decision={decision}
          isBusy={isUndoing}
          onUndo={() => void undoDecision(decision)}
          onOver={() => forgetDecision(decision)}
          onFocusLost={onFocusLost}
        />
      )}
    </div>
  )
}
