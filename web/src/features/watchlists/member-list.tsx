import type { Member } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { Crown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { Button } from '#web/ui/button.tsx'

const MOST_FACES = 5
const MOST_ROWS = 12

type MemberListProps = {
  members: readonly Member[]
  ownerId: string
  username: string
  /** What can be done with a member; stands at the end of their row. */
  renderActions?: ((member: Member) => ReactNode) | undefined
}

/** Everyone who shares the watchlist, with their faces; the signed-in user and the owner are marked. */
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

/** The first few faces, overlapping, for where there is no room for names. */
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
