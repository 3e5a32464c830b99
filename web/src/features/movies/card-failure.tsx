import { isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useReason } from '#web/api/use-reason.ts'
import { Banner, FailureText } from '#web/ui/banner.tsx'

export type CardAction = 'load' | 'reveal' | 'move' | 'undo' | 'add' | 'edit' | 'delete' | 'want'

/** What may have happened meanwhile, if that helps. */
export function cardAdvice(action: CardAction, error: unknown): 'cardGone' | 'membership' | undefined {
  if (!isApiError(error, 'NOT_FOUND', 'UNAUTHORIZED')) return undefined
  const isAboutOneCard = action === 'move' || action === 'undo' || action === 'edit' || action === 'delete'
  return isAboutOneCard && error.kind === 'NOT_FOUND' ? 'cardGone' : 'membership'
}

const TEXTS = {
  load: 'errors.loadFailed',
  reveal: 'errors.revealFailed',
  move: 'errors.statusFailed',
  undo: 'errors.undoFailed',
  add: 'errors.addFailed',
  edit: 'errors.editFailed',
  delete: 'errors.deleteFailed',
  want: 'errors.wantFailed',
} as const satisfies Record<CardAction, string>

type CardFailureProps = { action: CardAction; error: unknown }

/** What failed, why, and what the user can do. */
export function CardFailureText({ action, error }: CardFailureProps) {
  const { t } = useTranslation('moviecard')
  const reason = useReason()
  const why = reason(error, { isRead: action === 'load' || action === 'reveal' })
  if (why === t('errors.nothingToReveal')) return <p>{why}</p>
  const advice = cardAdvice(action, error)
  return (
    <>
      <FailureText what={t(TEXTS[action])} why={why} />
      {advice !== undefined && <p className="text-sm">{t(`errors.${advice}`)}</p>}
    </>
  )
}

/** `title` names the card if the message is not on it. */
export function CardFailure({ title, ...failure }: CardFailureProps & { title?: string }) {
  return (
    <Banner tone="error">
      {title !== undefined && <p className="font-semibold">{title}</p>}
      <CardFailureText {...failure} />
    </Banner>
  )
}
