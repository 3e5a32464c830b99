import type { Night } from '@marquee/contract/entities/night'
import { isSameUser } from '@marquee/contract/rules/account'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

import { useNightStep } from './queries.ts'

type JoinQuestionProps = { night: Night; username: string; reveal: () => void; onAnswered: () => void }

/**
 * Asks a member who is not at the open night before they reveal a card, which is then no draw of the night. One who is there
 * is not asked. One who arrives meanwhile, on another device, has answered: they press again to reveal.
 */
export function JoinQuestion({ night, username, reveal, onAnswered }: JoinQuestionProps) {
  const { t } = useTranslation('watchlist')
  const navigate = useNavigate()
  const { mutate, isPending, error } = useNightStep(night)
  const isHere = night.present.some((person) => isSameUser(person.username, username))
  const revealNow = () => {
    onAnswered()
    reveal()
  }
  const begin = useEffectEvent(() => {
    if (isHere) revealNow()
  })
  useEffect(() => begin(), [])
  // Who arrives in this dialog goes to the night.
  const isOver = isHere && !isPending
  const end = useEffectEvent(onAnswered)
  useEffect(() => {
    if (isOver) end()
  }, [isOver])
  return (
    <Dialog
      isOpen={!isHere}
      onClose={onAnswered}
      title={t('strip.ask.title')}
      description={t('strip.ask.description')}
      actions={
        <>
          <Button tone="quiet" data-autofocus disabled={isPending} onClick={onAnswered}>
            {t('common:close')}
          </Button>
          <Button tone="quiet" disabled={isPending} onClick={revealNow}>
            {t('strip.ask.reveal')}
          </Button>
          <Button
            tone="primary"
            busy={isPending}
            onClick={() => mutate('arrive', { onSuccess: () => void navigate(to.night(night.watchlistId)) })}
          >
            {t('strip.join')}
          </Button>
        </>
      }
    >
      <div className="mt-4 empty:hidden">
        <CallFailureBanner what={t('night.stepFailed')} error={error} />
      </div>
    </Dialog>
  )
}
