import type { Member, Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { Crown, UserMinus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { focusSoon } from '#web/ui/focus-soon.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

import { HandOverDialog, RemoveMemberDialog } from './member-dialogs.tsx'
import { MemberList } from './member-list.tsx'

type MemberSectionProps = { watchlist: Watchlist; username: string; isOwner: boolean }

type Asking = { about: 'nothing' } | { about: 'removal' | 'hand-over'; username: string }
type News = { of: 'nothing' } | { of: 'removed' | 'handedOver'; username: string }

/** Who shares the watchlist; the owner may remove a member or hand the watchlist over to one. */
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
    // The buttons that asked are gone.
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
