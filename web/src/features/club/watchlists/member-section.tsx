import type { Member, Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { Crown, UserMinus } from 'lucide-react'
import { useId, useRef, useState, type ReactNode } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

import { useHandOver, useRemoveMember } from './mutations.ts'
import { WatchlistError } from './watchlist-states.tsx'

type MemberSectionProps = { watchlist: Watchlist; username: string; isOwner: boolean }

type Asking = { about: 'nothing' } | { about: 'removal' | 'hand-over'; username: string }
type News = { of: 'nothing' } | { of: 'removed' | 'handedOver'; username: string }

/** The members. The owner may remove a member or hand the watchlist over. */
export function MemberSection({ watchlist, username, isOwner }: MemberSectionProps) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [asking, setAsking] = useState<Asking>({ about: 'nothing' })
  const [news, setNews] = useState<News>({ of: 'nothing' })

  const ask = (about: 'removal' | 'hand-over', member: Member) => {
    setNews({ of: 'nothing' })
    setAsking({ about, username: member.username })
  }
  const done = (what: News) => {
    setAsking({ about: 'nothing' })
    setNews(what)
    // The buttons that opened the dialogs are gone.
    focusSoon(heading)
  }
  const actions = (member: Member) =>
    isSameUser(member.username, username) ? null : (
      <span className="-my-1 flex shrink-0">
        <IconButton
          aria-label={t('members.handOverTo', { name: member.username })}
          icon={<Crown aria-hidden />}
          onClick={() => ask('hand-over', member)}
        />
        <IconButton
          aria-label={t('members.remove', { name: member.username })}
          icon={<UserMinus aria-hidden />}
          onClick={() => ask('removal', member)}
        />
      </span>
    )

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2">
      <h2
        ref={heading}
        id={headingId}
        tabIndex={-1}
        className="font-sans text-sm font-semibold tracking-normal text-muted focus:outline-none"
      >
        {t('detail.members')}
      </h2>
      {news.of !== 'nothing' && <Banner tone="success">{t(`members.${news.of}`, { name: news.username })}</Banner>}
      <MemberList
        members={watchlist.members ?? []}
        ownerId={watchlist.ownerId}
        username={username}
        renderActions={isOwner ? actions : undefined}
      />
      <RemoveMemberDialog
        watchlist={watchlist}
        username={asking.about === 'removal' ? asking.username : undefined}
        onKept={() => setAsking({ about: 'nothing' })}
        onDone={(removed) => done({ of: 'removed', username: removed })}
      />
      <HandOverDialog
        watchlist={watchlist}
        username={asking.about === 'hand-over' ? asking.username : undefined}
        onKept={() => setAsking({ about: 'nothing' })}
        onDone={(successor) => done({ of: 'handedOver', username: successor })}
      />
    </section>
  )
}

const MOST_FACES = 5
const MOST_ROWS = 12

type MemberListProps = {
  members: readonly Member[]
  ownerId: string
  username: string
  /** The menu of a member, at the end of the row. */
  renderActions?: ((member: Member) => ReactNode) | undefined
}

/** The members with their avatars. The signed-in user and the owner are marked. */
function MemberList({ members, ownerId, username, renderActions }: MemberListProps) {
  const { t } = useTranslation('watchlist')
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? members : members.slice(0, MOST_ROWS)
  return (
    <>
      <ul className="flex flex-col gap-2">
        {shown.map((member) => (
          <li key={member.username} className="flex min-h-9 items-center gap-3">
            <PersonAvatar username={member.username} />
            <span className="min-w-0 flex-1">
              {member.username}{' '}
              {isSameUser(member.username, username) && <span className="text-muted">{t('detail.you')} </span>}
              {isSameUser(member.username, ownerId) && <OwnerMark />}
            </span>
            {renderActions?.(member)}
          </li>
        ))}
      </ul>
      {shown.length < members.length && (
        <Button tone="quiet" size="small" className="self-start" onClick={() => setShowsAll(true)}>
          {t('members.showAll', { count: members.length })}
        </Button>
      )}
    </>
  )
}

function OwnerMark() {
  const { t } = useTranslation('watchlist')
  return (
    <span className="inline-flex items-center gap-1 text-sm font-semibold text-accent">
      <Crown aria-hidden className="size-3.5" />
      {t('members.owner')}
    </span>
  )
}

/** The first few avatars, overlapping, without names. */
export function MemberFaces({ members }: { members: readonly Member[] }) {
  return (
    <span aria-hidden className="flex -space-x-2">
      {members.slice(0, MOST_FACES).map(({ username }) => (
        <span key={username} className="inline-flex rounded-full ring-2 ring-surface">
          <PersonAvatar username={username} size="small" />
        </span>
      ))}
    </span>
  )
}

type MemberDialogProps = {
  watchlist: Watchlist
  /** The member, undefined while the dialog is closed. */
  username: string | undefined
  onKept: () => void
  onDone: (username: string) => void
}

function RemoveMemberDialog({ watchlist, username = '', onKept, onDone }: MemberDialogProps) {
  const { t } = useTranslation('watchlist')
  const remove = useRemoveMember(watchlist)
  return (
    <ConfirmDialog
      isOpen={username !== ''}
      title={t('removeMember.title', { name: username })}
      description={t('removeMember.description', { name: username })}
      confirmLabel={t('removeMember.confirm')}
      cancelLabel={t('removeMember.cancel')}
      action={remove}
      failure={(error) => <WatchlistError what={t('removeMember.failed')} action="update" error={error} />}
      onCancel={onKept}
      onConfirm={() => remove.mutate(username, { onSuccess: () => onDone(username) })}
    />
  )
}

function HandOverDialog({ watchlist, username = '', onKept, onDone }: MemberDialogProps) {
  const { t } = useTranslation('watchlist')
  const handOver = useHandOver(watchlist.id)
  return (
    <ConfirmDialog
      isOpen={username !== ''}
      title={t('handOver.title', { name: username })}
      description={t('handOver.description', { name: username })}
      confirmLabel={t('handOver.confirm')}
      cancelLabel={t('handOver.cancel')}
      action={handOver}
      failure={(error) => <WatchlistError what={t('handOver.failed')} action="update" error={error} />}
      onCancel={onKept}
      onConfirm={() => handOver.mutate(username, { onSuccess: () => onDone(username) })}
    />
  )
}
