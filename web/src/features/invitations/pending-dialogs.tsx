import type { Invitation } from '@marquee/contract/entities/invitation'
import { useTranslation } from 'react-i18next'

import { useReason } from '#web/i18n/use-reason.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FailureText } from '#web/ui/failure-text.tsx'

import { invitationFailure } from './failure.ts'
import { InviteFailure } from './invite-form.tsx'
import { useInvite, useWithdraw } from './mutations.ts'

type PendingDialogProps = {
  watchlistId: string
  /** Whose invitation it is about; undefined while nothing is asked. */
  username: string | undefined
  onClose: () => void
}

/** The token is known to nobody any more: another link can only be had by inviting anew. */
export function RenewDialog(props: PendingDialogProps & { onInvited: (invitation: Invitation) => void }) {
  const { watchlistId, username = '', onClose, onInvited } = props
  const { t } = useTranslation('watchlist')
  const invite = useInvite(watchlistId)
  return (
    <ConfirmDialog
      isOpen={props.username !== undefined}
      title={t('renewLink.title', { name: username })}
      description={t('renewLink.description', { name: username })}
      confirmLabel={t('renewLink.confirm')}
      cancelLabel={t('renewLink.cancel')}
      tone="primary"
      isBusy={invite.isPending}
      failure={invite.isError ? <InviteFailure error={invite.error} /> : undefined}
      onCancel={() => {
        invite.reset()
        onClose()
      }}
      onConfirm={() =>
        invite.mutate(username, {
          onSuccess: (invitation) => {
            onClose()
            onInvited(invitation)
          },
        })
      }
    />
  )
}

export function WithdrawDialog(props: PendingDialogProps & { onWithdrawn: (username: string) => void }) {
  const { watchlistId, username = '', onClose, onWithdrawn } = props
  const { t } = useTranslation('watchlist')
  const withdraw = useWithdraw(watchlistId)
  const reason = useReason()
  return (
    <ConfirmDialog
      isOpen={props.username !== undefined}
      title={t('withdraw.title', { name: username })}
      description={t('withdraw.description', { name: username })}
      confirmLabel={t('withdraw.confirm')}
      cancelLabel={t('withdraw.cancel')}
      isBusy={withdraw.isPending}
      failure={
        withdraw.isError ? (
          <FailureText
            what={t('withdraw.failed')}
            why={reason(invitationFailure('invite', withdraw.error), withdraw.error)}
          />
        ) : undefined
      }
      onCancel={() => {
        withdraw.reset()
        onClose()
      }}
      onConfirm={() =>
        withdraw.mutate(username, {
          onSuccess: () => {
            onClose()
            onWithdrawn(username)
          },
        })
      }
    />
  )
}
