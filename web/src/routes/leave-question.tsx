import '#web/i18n/outbox-texts.ts'
import { useEffect, useEffectEvent, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { openOutbox } from '#web/offline/outbox/waiting.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type LeaveQuestionProps = { onLeave: () => void; onStay: () => void }

/** So long a sign-out waits for what is being sent. */
const SENDING_MS = 3_000

/** Sends what it still can. How many things a sign-out would lose then. */
async function countLost(): Promise<number> {
  const outbox = await openOutbox()
  const late = new Promise((resolve) => setTimeout(resolve, SENDING_MS))
  await Promise.race([outbox.send().catch(() => undefined), late])
  return outbox.count()
}

/** Leaves if nothing would be lost. Otherwise it asks, and removes what is not sent from this device before it leaves. */
export function LeaveQuestion({ onLeave, onStay }: LeaveQuestionProps) {
  const { t } = useTranslation('watchlist')
  const [losing, setLosing] = useState(0)
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    let isGone = false
    // A device that cannot say what waits has none to ask about.
    void countLost()
      .catch(() => 0)
      .then((count) => {
        if (isGone) return
        if (count === 0) leave()
        else setLosing(count)
      })
    return () => {
      isGone = true
    }
  }, [])
  return (
    <ConfirmDialog
      isOpen={losing > 0}
      title={t('outbox.signOut.title', { count: losing })}
      description={t('outbox.signOut.text')}
      confirmLabel={t('outbox.signOut.confirm')}
      cancelLabel={t('outbox.signOut.cancel')}
      action={{ isPending: false, error: null, reset: () => {} }}
      failure={() => null}
      onConfirm={() => {
        setLosing(0)
        void openOutbox()
          .then(async (outbox) => outbox.clear())
          .catch(() => undefined)
          .then(onLeave)
      }}
      onCancel={onStay}
    />
  )
}
