import type { Invitation, PendingInvitation } from '@marquee/contract/entities/invitation'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery } from '@tanstack/react-query'
import { Link2, Mail, X } from 'lucide-react'
import { useState } from 'react'

import { dayText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { whyFailed } from '#web/api/call-failure.tsx'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

import { invitationFailure } from './failure.ts'
import { InviteFailure } from './invite-form.tsx'
import { useInvite, useWithdraw } from './mutations.ts'
import { sentInvitations } from './queries.ts'

type PendingListProps = {
  watchlistId: string
  pending: readonly PendingInvitation[]
  onShowLink: (invitation: Invitation) => void
  onInvited: (invitation: Invitation) => void
  onWithdrawn: (username: string) => void
}

type Asking =
  | { about: 'nothing' }
  | { about: 'renewing'; username: string }
  | { about: 'withdrawing'; invitation: PendingInvitation }

/** The pending invitations, and the dialogs about one of them. */
export function PendingList({ watchlistId, pending, onShowLink, onInvited, onWithdrawn }: PendingListProps) {
  const { t } = useTranslation('watchlist')
  const { data: sent = [] } = useQuery(sentInvitations(watchlistId))
  const [asking, setAsking] = useState<Asking>({ about: 'nothing' })
  const stopAsking = () => setAsking({ about: 'nothing' })

  const showLink = ({ username, createdAt }: PendingInvitation) => {
    // One that another member has sent since is another link.
    const known = sent.find((one) => isSameUser(one.username, username) && one.createdAt >= createdAt)
    if (known === undefined) setAsking({ about: 'renewing', username })
    else onShowLink(known)
  }

  return (
    <>
      {pending.length > 0 && (
        <ul aria-label={t('pending.title')} className="flex flex-col gap-2">
          {pending.map((invitation) => (
            <PendingRow
              key={invitation.linkId ?? invitation.username}
              invitation={invitation}
              onLink={() => showLink(invitation)}
              onWithdraw={() => setAsking({ about: 'withdrawing', invitation })}
            />
          ))}
        </ul>
      )}
      <RenewDialog
        watchlistId={watchlistId}
        username={asking.about === 'renewing' ? asking.username : undefined}
        onClose={stopAsking}
        onInvited={onInvited}
      />
      <WithdrawDialog
        watchlistId={watchlistId}
        invitation={asking.about === 'withdrawing' ? asking.invitation : undefined}
        onClose={stopAsking}
        onWithdrawn={onWithdrawn}
      />
    </>
  )
}

type PendingRowProps = { invitation: PendingInvitation; onLink: () => void; onWithdraw: () => void }

function PendingRow({ invitation, onLink, onWithdraw }: PendingRowProps) {
  const { t } = useTranslation('watchlist')
  const { username, invitedBy, expiresAt, linkId, isMailRefused } = invitation
  const isMailed = linkId !== undefined
  return (
    <li className="flex items-center gap-3">
      {isMailed ? (
        <Mail aria-hidden className="size-8 shrink-0 p-1 text-muted" />
      ) : (
        <PersonAvatar username={username} />
      )}
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">{isMailed ? t('invite.mailed', { address: username }) : username}</p>
        <p className="text-sm text-muted">{t('pending.row', { user: invitedBy, date: dayText(expiresAt) })}</p>
        {isMailRefused && <p className="text-sm text-danger">{t('pending.refused')}</p>}
      </div>
      <div className="flex shrink-0">
        {!isMailed && (
          <IconButton
            aria-label={t('pending.link', { name: username })}
            icon={<Link2 aria-hidden />}
            onClick={onLink}
          />
        )}
        <IconButton
          aria-label={t('pending.withdraw', { name: username })}
          icon={<X aria-hidden />}
          onClick={onWithdraw}
        />
      </div>
    </li>
  )
}

type PendingDialogProps = { watchlistId: string; onClose: () => void }

/** The token is no longer known, so a new link needs a new invitation. */
function RenewDialog(
  props: PendingDialogProps & {
    /** The invited user, undefined while the dialog is closed. */
    username: string | undefined
    onInvited: (invitation: Invitation) => void
  },
) {
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
      action={invite}
      failure={(error) => <InviteFailure error={error} />}
      onCancel={onClose}
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

function WithdrawDialog(
  props: PendingDialogProps & {
    /** Undefined while the dialog is closed. */
    invitation: PendingInvitation | undefined
    onWithdrawn: (username: string) => void
  },
) {
  const { watchlistId, invitation, onClose, onWithdrawn } = props
  const username = invitation?.username ?? ''
  const { t } = useTranslation('watchlist')
  const withdraw = useWithdraw(watchlistId)
  return (
    <ConfirmDialog
      isOpen={invitation !== undefined}
      title={t('withdraw.title', { name: username })}
      description={t('withdraw.description', { name: username })}
      confirmLabel={t('withdraw.confirm')}
      cancelLabel={t('withdraw.cancel')}
      action={withdraw}
      failure={whyFailed(t('withdraw.failed'), (error) => invitationFailure('invite', error))}
      onCancel={onClose}
      onConfirm={() => {
        if (invitation === undefined) return
        withdraw.mutate(invitation, {
          onSuccess: () => {
            onClose()
            onWithdrawn(username)
          },
        })
      }}
    />
  )
}
