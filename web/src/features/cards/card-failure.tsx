import { useTranslation } from 'react-i18next'

import { useReason } from '#web/i18n/use-reason.ts'
import { Banner } from '#web/ui/banner.tsx'
import { FailureText } from '#web/ui/failure-text.tsx'

import { type CardAction, cardAdvice, cardFailure } from './failure.ts'

const TEXTS = {
  load: 'errors.loadFailed',
  reveal: 'errors.revealFailed',
  move: 'errors.statusFailed',
  undo: 'errors.undoFailed',
  add: 'errors.addFailed',
  edit: 'errors.editFailed',
  delete: 'errors.deleteFailed',
} as const satisfies Record<CardAction, string>

type CardFailureProps = { action: CardAction; error: unknown }

/** What could not be done with a card, why, and what to do about it. */
export function CardFailureText({ action, error }: CardFailureProps) {
  const { t } = useTranslation('moviecard')
  const reason = useReason()
  const why = reason(cardFailure(action, error), error)
  if (why === t('errors.nothingToReveal')) return <p>{why}</p>
  const advice = cardAdvice(action, error)
  return (
    <>
      <FailureText what={t(TEXTS[action])} why={why} />
      {advice !== undefined && <p className="text-sm">{t(`errors.${advice}`)}</p>}
    </>
  )
}

/** `title` names the card where the message does not stand on it. */
export function CardFailure({ title, ...failure }: CardFailureProps & { title?: string }) {
  return (
    <Banner tone="error">
      {title !== undefined && <p className="font-semibold">{title}</p>}
      <CardFailureText {...failure} />
    </Banner>
  )
}
