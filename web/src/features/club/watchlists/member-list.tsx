import type { Member, Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { Crown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { Button } from '#web/ui/button.tsx'

/** The members, for reading. */
export function MemberNames({ watchlist, username }: { watchlist: Watchlist; username: string }) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2">
      <h2 id={headingId} className="font-sans text-sm font-semibold tracking-normal text-muted">
        {t('detail.members')}
      </h2>
      <MemberList members={watchlist.members ?? []} ownerId={watchlist.ownerId} username={username} />
    </section>
  )
}

const MOST_FACES = 5
/** How many members a list shows at first. From here on they can be searched. */
export const MOST_ROWS = 12

type MemberListProps = {
  members: readonly Member[]
  ownerId: string
  username: string
  /** The menu of a member, at the end of the row. */
  renderActions?: ((member: Member) => ReactNode) | undefined
}

/** The members with their avatars. The signed-in user and the owner are marked. */
export function MemberList({ members, ownerId, username, renderActions }: MemberListProps) {
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
