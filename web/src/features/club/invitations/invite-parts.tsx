import '#web/i18n/join-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

import { LinkPart } from '../join-links/link-part.tsx'
import { InviteByName } from './invite-by-name.tsx'
import { pendingInvitations } from './queries.ts'
import { WaitingPart } from './waiting-part.tsx'

/** The ways to invite, and the invitations without an answer. */
export type InvitePart = 'link' | 'name' | 'waiting'

type InvitePartsProps = {
  watchlistId: string
  username: string
  isOwner: boolean
  first: InvitePart
  onClose: () => void
}

/** The invite dialog with its parts. It loads when it opens. */
export function InviteParts({ watchlistId, username, isOwner, first, onClose }: InvitePartsProps) {
  const { t } = useTranslation('watchlist')
  const [part, setPart] = useState<InvitePart>(first)
  const { data: pending = [] } = useQuery(pendingInvitations(watchlistId))
  const waiting =
    pending.length === 0 ? t('inviteParts.waiting') : t('inviteParts.waitingCount', { count: pending.length })
  return (
    <Dialog
      isOpen
      title={t('invite.title')}
      onClose={onClose}
      actions={
        <Button tone="quiet" onClick={onClose}>
          {t('common:close')}
        </Button>
      }
    >
      <Tabs<InvitePart>
        label={t('invite.title')}
        value={part}
        onChange={setPart}
        tabs={[
          {
            value: 'link',
            label: t('inviteParts.link'),
            content: <LinkPart watchlistId={watchlistId} username={username} isOwner={isOwner} />,
          },
          {
            value: 'name',
            label: t('inviteParts.name'),
            content: <InviteByName watchlistId={watchlistId} isMain />,
          },
          { value: 'waiting', label: waiting, content: <WaitingPart watchlistId={watchlistId} /> },
        ]}
      />
    </Dialog>
  )
}
