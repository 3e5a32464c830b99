import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

import { momentText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Faces } from '#web/people/faces.tsx'
import { classes } from '#web/ui/classes.ts'
import { Panel } from '#web/ui/panel.tsx'

import { MemberNames } from './member-list.tsx'
import { useImageEdit, AddImageButton, WatchlistImage } from './watchlist-image.tsx'
import {
  EditableDescription,
  EditableName,
  EditOutcome,
  useTextEdit,
  WatchlistDescription,
} from './watchlist-texts.tsx'

type InfoPanelProps = {
  watchlist: Watchlist
  username: string
  isMember: boolean
  /** For members: the invitations. */
  children?: ReactNode
}

/**
 * The panel of a watchlist: image, name, description, date and members. On narrow screens it folds into a header with
 * name, avatars and a button that opens the rest.
 */
export function InfoPanel({ watchlist, username, isMember, children }: InfoPanelProps) {
  const { t } = useTranslation('watchlist')
  const [isOpen, setOpen] = useState(false)
  const restId = useId()
  const edit = useTextEdit(watchlist)
  const imageEdit = useImageEdit()
  return (
    <Panel aria-label={t('detail.info')} className="flex flex-col gap-3 overflow-hidden p-0! pb-3! lg:gap-4 lg:pb-5!">
      <div className={classes('lg:contents', isOpen ? 'contents' : 'hidden')}>
        <WatchlistImage watchlist={watchlist} isMember={isMember} edit={imageEdit} />
      </div>
      <div className="flex flex-col gap-3 px-4 pt-4 sm:px-5">
        {isMember ? <EditableName watchlist={watchlist} edit={edit} /> : <h1 className="text-3xl">{watchlist.name}</h1>}
        <EditOutcome outcome={edit.outcome} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={restId}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 items-center gap-3 rounded-control text-sm font-semibold text-muted lg:hidden pointer-coarse:min-h-11"
        >
          <Faces usernames={watchlist.members?.map((member) => member.username) ?? []} />
          <span className="whitespace-nowrap">{t('detail.showInfo')}</span>
          <ChevronDown aria-hidden className={classes('size-5 transition-transform', isOpen && 'rotate-180')} />
        </button>
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
        <MemberNames watchlist={watchlist} username={username} isMember={isMember} />
        {isMember && children}
        {!isMember && <p className="border-t border-line pt-4 text-sm text-muted">{t('detail.readOnly')}</p>}
      </div>
    </Panel>
  )
}
