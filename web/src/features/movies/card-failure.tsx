import { BOX_IS_EMPTY } from '@marquee/contract/problems'

import { isApiError } from '#web/api/api-error.ts'
import { serverMessage } from '#web/i18n/server-message.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useReason } from '#web/api/use-reason.ts'
import { Banner, FailureText } from '#web/ui/banner.tsx'

export type CardAction = 'load' | 'reveal' | 'move' | 'undo' | 'add' | 'edit' | 'delete' | 'want'

type CardFailureKind = 'FETCH_ERROR' | 'CREATE_ERROR' | 'UPDATE_ERROR' | 'NOT_FOUND' | 'UNAUTHORIZED'

/** The kind of a refused or invalid request, by action. */
const OWN_KIND: Record<CardAction, CardFailureKind> = {
  load: 'FETCH_ERROR',
  reveal: 'FETCH_ERROR',
  add: 'CREATE_ERROR',
  move: 'UPDATE_ERROR',
  undo: 'UPDATE_ERROR',
  edit: 'UPDATE_ERROR',
  delete: 'UPDATE_ERROR',
  want: 'UPDATE_ERROR',
}

/** The kind of a failure, which decides its text. See docs/product/errors.md. */
export function cardFailure(action: CardAction, error: unknown): CardFailureKind {
  if (isApiError(error, 'UNAUTHORIZED')) return 'UNAUTHORIZED'
  if (isApiError(error, 'NOT_FOUND')) return 'NOT_FOUND'
  return isApiError(error, 'VALIDATION_ERROR', 'BAD_REQUEST') ? OWN_KIND[action] : 'FETCH_ERROR'
}

/** What may have happened meanwhile, if that helps. */
export function cardAdvice(action: CardAction, error: unknown): 'cardGone' | 'membership' | undefined {
  const kind = cardFailure(action, error)
  if (kind !== 'NOT_FOUND' && kind !== 'UNAUTHORIZED') return undefined
  const isAboutOneCard = action === 'move' || action === 'undo' || action === 'edit' || action === 'delete'
  return kind === 'NOT_FOUND' && isAboutOneCard ? 'cardGone' : 'membership'
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
  const why = reason(error, cardFailure(action, error))
  if (why === serverMessage(BOX_IS_EMPTY, BOX_IS_EMPTY)) return <p>{why}</p>
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
