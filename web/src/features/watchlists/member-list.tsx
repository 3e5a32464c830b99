import type { Member } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { useTranslation } from 'react-i18next'

import { Avatar } from '#web/ui/avatar.tsx'

type MemberListProps = { members: readonly Member[]; username: string }

/** Everyone who shares the watchlist, with their faces; the signed-in user is marked. */
export function MemberList({ members, username }: MemberListProps) {
  const { t } = useTranslation('watchlist')
  return (
    <ul className="flex flex-col gap-2">
      {members.map((member) => (
        <li key={member.username} className="flex items-center gap-3">
          <Avatar name={member.username} />
          <span className="min-w-0">
            {member.username}
            {isSameUser(member.username, username) && <span className="ml-1.5 text-muted">{t('detail.you')}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

const MOST_FACES = 5

/** The first few faces, overlapping, for where there is no room for names. */
export function MemberFaces({ members }: { members: readonly Member[] }) {
  return (
    <span aria-hidden className="flex -space-x-2">
      {members.slice(0, MOST_FACES).map(({ username }) => (
        <span key={username} className="rounded-full ring-2 ring-surface">
          <Avatar name={username} size="small" />
        </span>
      ))}
    </span>
  )
}
