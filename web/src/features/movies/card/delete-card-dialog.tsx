import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox } from '@marquee/contract/rules/card-moves'

import { useTranslation } from '#web/i18n/texts.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

import { CardFailureText } from '../card-failure.tsx'
import '../lazy-texts.ts'
import { useDeleteCard } from '../mutations.ts'

type DeleteCardDialogProps = { card: Card; onDeleted: () => void; onCancel: () => void }

/** Asks before a card is deleted. */
export function DeleteCardDialog({ card, onDeleted, onCancel }: DeleteCardDialogProps) {
  const { t } = useTranslation('moviecard')
  const { title } = card
  const words = isInTheBox(card.status)
    ? {
        title: t('withdrawCard.title', { title }),
        description: t('withdrawCard.description'),
        confirmLabel: t('withdrawCard.confirm'),
      }
    : {
        title: t('deleteCard.title', { title }),
        description: t('deleteCard.description'),
        confirmLabel: t('deleteCard.confirm'),
      }
  const remove = useDeleteCard(card.watchlistId)
  const confirm = async () => {
    try {
      await remove.mutateAsync(card)
      onDeleted()
    } catch {
      // The dialog shows the failure.
    }
  }
  return (
    <ConfirmDialog
      isOpen
      {...words}
      cancelLabel={t('deleteCard.cancel')}
      action={remove}
      failure={(error) => <CardFailureText action="delete" error={error} />}
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    />
  )
}
