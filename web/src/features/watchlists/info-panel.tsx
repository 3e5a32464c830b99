import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { momentText } from '#web/i18n/dates.ts'
import { classes } from '#web/ui/classes.ts'
import { Panel } from '#web/ui/panel.tsx'

import { MemberFaces, MemberList } from './member-list.tsx'
import {
  EditableDescription,
  EditableName,
  EditOutcome,
  useTextEdit,
  WatchlistDescription,
} from './watchlist-texts.tsx'

type InfoPanelProps = { watchlist: Watchlist; username: string; isMember: boolean }

/**
 * What a watchlist is: image, name, description, when it was made and who shares it. Where there is no room beside the
 * feed it folds into a header: name, faces, and a button that opens the rest.
 */
export function InfoPanel({ watchlist, username, isMember }: InfoPanelProps) {
  const { t } = useTranslation('watchlist')
  const [isOpen, setOpen] = useState(false)
  const restId = useId()
  const edit = useTextEdit(watchlist)
  const members = watchlist.members ?? []
  return (
    <Panel aria-label={t('detail.info')} className="flex flex-col gap-3 overflow-hidden p-0! pb-3! lg:gap-4 lg:pb-5!">
      {watchlist.fullImageUrl === null ? null : <CoverImage src={watchlist.fullImageUrl} />}
      <div className="flex flex-col gap-3 px-4 pt-1 first:pt-5 sm:px-5">
        {isMember ? <EditableName watchlist={watchlist} edit={edit} /> : <h1 className="text-3xl">{watchlist.name}</h1>}
        <EditOutcome outcome={edit.outcome} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={restId}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 items-center gap-3 rounded-control text-sm font-semibold text-muted lg:hidden pointer-coarse:min-h-11"
        >
          <MemberFaces members={members} />
          <span className="flex-1 text-left">{t('detail.showInfo')}</span>
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
        <section className="flex flex-col gap-2">
          <h2 className="font-sans text-sm font-semibold tracking-normal text-muted">{t('detail.members')}</h2>
          <MemberList members={members} username={username} />
        </section>
        {!isMember && <p className="border-t border-line pt-4 text-sm text-muted">{t('detail.readOnly')}</p>}
      </div>
    </Panel>
  )
}

/** Decoration above the name that says the same; it goes away if it cannot be loaded. */
function CoverImage({ src }: { src: string }) {
  const [brokenSrc, setBrokenSrc] = useState<string>()
  if (src === brokenSrc) return null
  return <img src={src} alt="" onError={() => setBrokenSrc(src)} className="aspect-3/2 w-full bg-raised object-cover" />
}
