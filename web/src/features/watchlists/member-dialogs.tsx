import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

import { useHandOver, useRemoveMember } from './mutations.ts'
import { WatchlistError } from './watchlist-error.tsx'

type MemberDialogProps = {
  watchlist: Watchlist
  /** Which member it is about; undefined while nothing is asked. */
  username: string | undefined
  onKept: () => void
  onDone: (username: string) => void
}

export function RemoveMemberDialog({ watchlist, username = '', onKept, onDone }: MemberDialogProps) {
  const { t } = useTranslation('watchlist')
  const remove = useRemoveMember(watchlist)
  return (
    <ConfirmDialog
      isOpen={username !== ''}
      title={t('removeMember.title', { name: username })}
      description={t('removeMember.description', { name: username })}
      confirmLabel={t('removeMember.confirm')}
      cancelLabel={t('removeMember.cancel')}
      isBusy={remove.isPending}
      failure={
        remove.isError ? (
          <WatchlistError what={t('removeMember.failed')} action="update" error={remove.error} />
        ) : undefined
      }
      onCancel={() => {
        remove.reset()
        onKept()
      }}
      onConfirm={() => remove.mutate(username, { onSuccess: () => onDone(username) })}
    />
  )
}

export function HandOverDialog({ watchlist, username = '', onKept, onDone }: MemberDialogProps) {
  const { t } = useTranslation('watchlist')
  const handOver = useHandOver(watchlist.id)
  return (
    <ConfirmDialog
      isOpen={username !== ''}
      title={t('handOver.title', { name: username })}
      description={t('handOver.description', { name: username })}
      confirmLabel={t('handOver.confirm')}
      cancelLabel={t('handOver.cancel')}
      isBusy={handOver.isPending}
      failure={
        handOver.isError ? (
          <WatchlistError what={t('handOver.failed')} action="update" error={handOver.error} />
        ) : undefined
      }
      onCancel={() => {
        handOver.reset()
        onKept()
      }}
      onConfirm={() => handOver.mutate(username, { onSuccess: () => onDone(username) })}
    />
  )
}
