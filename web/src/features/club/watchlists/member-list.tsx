import type { Member, Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { Crown } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { focusSoon } from '#web/ui/focus.ts'

type MemberNamesProps = { watchlist: Watchlist; username: string; isMember: boolean }

/** The members, for reading. The club page has those that the panel has no room for; visitors unfold them here. */
export function MemberNames({ watchlist, username, isMember }: MemberNamesProps) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const { id, ownerId } = watchlist
  const members = watchlist.members ?? []
  const hasMore = isMember && members.length > MOST_ROWS
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2">
      <h2 id={headingId} className="font-sans text-sm font-semibold tracking-normal text-muted">
        {t('detail.members')}
      </h2>
      <MemberList members={hasMore ? members.slice(0, MOST_ROWS) : members} ownerId={ownerId} username={username} />
      {hasMore && (
        <Link to={to.club(id)} className={classes(buttonStyle('quiet', 'small'), 'self-start')}>
          {t('members.showAll', { count: members.length })}
        </Link>
      )}
    </section>
  )
}

/** How many members a list shows at first. From here on they can be searched. */
export const MOST_ROWS = 12
/** How many more a press shows. */
const MORE_ROWS = 24

type MemberListProps = {
  members: readonly Member[]
  ownerId: string
  username: string
  /** In columns, as many as there is room for. */
  isWide?: boolean
  /** Below the name. */
  renderNote?: (member: Member) => ReactNode
  /** The menu of a member, at the end of the row. */
  renderActions?: ((member: Member) => ReactNode) | undefined
}

/** The members with their avatars. The signed-in user and the owner are marked. */
export function MemberList(props: MemberListProps) {
  const { members, ownerId, username, isWide = false, renderNote, renderActions } = props
  const { t } = useTranslation('watchlist')
  const [shown, setShown] = useState({ rows: MOST_ROWS, from: 0 })
  const firstNew = useRef<HTMLLIElement>(null)
  return (
    <>
      <ul className={classes('gap-2', isWide ? 'grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3' : 'flex flex-col')}>
        {members.slice(0, shown.rows).map((member, n) => (
          <li
            key={member.username}
            ref={n === shown.from && n > 0 ? firstNew : undefined}
            tabIndex={-1}
            className="flex min-h-11 items-center gap-3 rounded-control"
          >
            <PersonAvatar username={member.username} />
            <span className="min-w-0 flex-1">
              {member.username}{' '}
              {isSameUser(member.username, username) && <span className="text-muted">{t('detail.you')} </span>}
              {isSameUser(member.username, ownerId) && <OwnerMark />}
              {renderNote && <span className="block text-sm text-muted">{renderNote(member)}</span>}
            </span>
            {renderActions?.(member)}
          </li>
        ))}
      </ul>
      {shown.rows < members.length && (
        <Button
          tone="quiet"
          size="small"
          className="self-start"
          onClick={() => {
            setShown({ rows: shown.rows + MORE_ROWS, from: shown.rows })
            focusSoon(firstNew, { preventScroll: true })
          }}
        >
          {t('members.more')}
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
