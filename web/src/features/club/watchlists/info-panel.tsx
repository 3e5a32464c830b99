import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { ChartColumn, ChevronDown, FileUp, Moon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Link, useLocation } from 'react-router'

import { momentText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to, WEBHOOKS_ID } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'
import { Panel } from '#web/ui/panel.tsx'

import { ExportSection } from './export-section.tsx'
import { MemberFaces, MemberSection } from './member-section.tsx'
import { Membership } from './membership.tsx'
import { useImageEdit, AddImageButton, WatchlistImage } from './watchlist-image.tsx'
import {
  EditableDescription,
  EditableName,
  EditOutcome,
  useTextEdit,
  WatchlistDescription,
} from './watchlist-texts.tsx'

const quietLink =
  'inline-flex min-h-9 items-center gap-2 self-start rounded-control text-sm font-semibold text-muted hover:text-text pointer-coarse:min-h-11'

type InfoPanelProps = {
  watchlist: Watchlist
  username: string
  isMember: boolean
  isNightOpen?: boolean
  /** For members: the invitations. */
  invitations?: ReactNode
  /** The user has left the watchlist or deleted it. */
  onGone: () => void
}

/**
 * The panel of a watchlist: image, name, description, date and members. On narrow screens it folds into a header with
 * name, avatars and a button that opens the rest.
 */
export function InfoPanel({ watchlist, username, isMember, isNightOpen = false, invitations, onGone }: InfoPanelProps) {
  const { t } = useTranslation('watchlist')
  const { hash } = useLocation()
  // A link to the webhooks leads to what is folded.
  const [isOpen, setOpen] = useState(hash === `#${WEBHOOKS_ID}`)
  const restId = useId()
  const edit = useTextEdit(watchlist)
  const imageEdit = useImageEdit()
  const isOwner = isMember && isSameUser(watchlist.ownerId, username)
  return (
    <Panel aria-label={t('detail.info')} className="flex flex-col gap-3 overflow-hidden p-0! pb-3! lg:gap-4 lg:pb-5!">
      <WatchlistImage watchlist={watchlist} isMember={isMember} edit={imageEdit} />
      <div className="flex flex-col gap-3 px-4 pt-1 first:pt-5 sm:px-5">
        {isMember ? <EditableName watchlist={watchlist} edit={edit} /> : <h1 className="text-3xl">{watchlist.name}</h1>}
        <EditOutcome outcome={edit.outcome} />
        <div className="flex flex-wrap gap-x-4">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={restId}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-9 flex-auto items-center gap-3 rounded-control text-sm font-semibold text-muted lg:hidden pointer-coarse:min-h-11"
          >
            <MemberFaces members={watchlist.members ?? []} />
            <span className="whitespace-nowrap">{t('detail.showInfo')}</span>
            <ChevronDown aria-hidden className={classes('size-5 transition-transform', isOpen && 'rotate-180')} />
          </button>
          {isMember && (
            <Link to={to.night(watchlist.id)} className={classes(quietLink, isNightOpen && 'text-accent!')}>
              <Moon aria-hidden className="size-4.5" />
              {t(isNightOpen ? 'detail.nightOpen' : 'detail.movieNight')}
            </Link>
          )}
        </div>
      </div>
      <div id={restId} className={classes('flex-col gap-5 px-4 sm:px-5 lg:flex', isOpen ? 'flex' : 'hidden')}>
        {isMember ? (
          <EditableDescription watchlist={watchlist} edit={edit} />
        ) : (
          <WatchlistDescription watchlist={watchlist} />
        )}
        <dl>
          <dt className="text-sm font-semibold text-muted">{t('detail.created')}</dt>
          <dd>
            <time dateTime={watchlist.createdAt}>{momentText(watchlist.createdAt)}</time>
          </dd>
        </dl>
        {isMember && watchlist.fullImageUrl === null && imageEdit.view.step === 'shown' && (
          <AddImageButton edit={imageEdit} />
        )}
        <MemberSection watchlist={watchlist} username={username} isOwner={isOwner} />
        {isMember && (
          <>
            <Link to={to.statistics(watchlist.id)} className={quietLink}>
              <ChartColumn aria-hidden className="size-4.5" />
              {t('detail.statistics')}
            </Link>
            <Link to={to.importMovies(watchlist.id)} className={quietLink}>
              <FileUp aria-hidden className="size-4.5" />
              {t('detail.importMovies')}
            </Link>
            {invitations}
            <ExportSection watchlist={watchlist} />
            <Membership watchlist={watchlist} username={username} isOwner={isOwner} onGone={onGone} />
          </>
        )}
        {!isMember && <p className="border-t border-line pt-4 text-sm text-muted">{t('detail.readOnly')}</p>}
      </div>
    </Panel>
  )
}
