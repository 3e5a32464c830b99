import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { DoorOpen, Trash2 } from 'lucide-react'
import { useId } from 'react'

import { CallFailureBanner, whyFailed } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { AskFirst } from '#web/ui/ask-first.tsx'
import { Switch } from '#web/ui/switch.tsx'

import { useDeleteWatchlist, useLeaveWatchlist, useSetPrivacy } from './settings-mutations.ts'
import { watchlistFailure } from './watchlist-states.tsx'

type MembershipProps = {
  watchlist: Watchlist
  username: string
  isOwner: boolean
  /** The watchlist is gone for this user. */
  onGone: () => void
}

/** A member can leave the watchlist. The owner can make it private and delete it. */
export function Membership({ watchlist, username, isOwner, onGone }: MembershipProps) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4 border-t border-line pt-4">
      <h2 id={headingId} className="sr-only">
        {t('membership.title')}
      </h2>
      {isOwner ? (
        <>
          <PrivacySwitch watchlist={watchlist} />
          <DeleteWatchlist watchlist={watchlist} onGone={onGone} />
        </>
      ) : (
        <LeaveWatchlist watchlist={watchlist} username={username} onGone={onGone} />
      )}
    </section>
  )
}

function DeleteWatchlist({ watchlist, onGone }: Pick<MembershipProps, 'watchlist' | 'onGone'>) {
  const { t } = useTranslation('watchlist')
  const remove = useDeleteWatchlist(watchlist.id)
  return (
    <AskFirst
      tone="danger"
      size="small"
      className="self-start"
      label={t('delete.button')}
      icon={<Trash2 aria-hidden />}
      title={t('delete.title', { name: watchlist.name })}
      description={t('delete.description', { count: watchlist.members?.length ?? 1 })}
      confirmLabel={t('delete.confirm')}
      cancelLabel={t('delete.cancel')}
      action={remove}
      failure={whyFailed(t('delete.failed'), (error) => watchlistFailure('update', error))}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onGone })}
    />
  )
}

function LeaveWatchlist({ watchlist, username, onGone }: Omit<MembershipProps, 'isOwner'>) {
  const { t } = useTranslation('watchlist')
  const leave = useLeaveWatchlist(watchlist.id)
  return (
    <AskFirst
      tone="danger"
      size="small"
      className="self-start"
      label={t('leave.button')}
      icon={<DoorOpen aria-hidden />}
      title={t('leave.title', { name: watchlist.name })}
      description={t('leave.description')}
      confirmLabel={t('leave.confirm')}
      cancelLabel={t('leave.cancel')}
      action={leave}
      failure={whyFailed(t('leave.failed'), (error) => watchlistFailure('update', error))}
      onConfirm={() => leave.mutate(username, { onSuccess: onGone })}
    />
  )
}

/** Makes the watchlist private or public, at once. */
function PrivacySwitch({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('watchlist')
  const privacy = useSetPrivacy(watchlist.id)
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('privacy.label')}
        hint={watchlist.isPrivate ? t('privacy.on') : t('privacy.off')}
        name="isPrivate"
        isOn={privacy.isPending ? privacy.variables : watchlist.isPrivate}
        isBusy={privacy.isPending}
        onChange={(isPrivate) => privacy.mutate(isPrivate)}
      />
      <CallFailureBanner
        what={t('privacy.failed')}
        kind={watchlistFailure('update', privacy.error)}
        error={privacy.error}
      />
    </div>
  )
}
