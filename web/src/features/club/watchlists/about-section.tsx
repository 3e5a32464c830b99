import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useId } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { classes } from '#web/ui/classes.ts'
import { Panel } from '#web/ui/panel.tsx'

import { AddImageButton, useImageEdit, WatchlistImage } from './watchlist-image.tsx'
import { EditableDescription, EditableName, EditOutcome, useTextEdit } from './watchlist-texts.tsx'

/** For members, among the settings of a watchlist: its picture, name and description. */
export function AboutSection({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const edit = useTextEdit(watchlist)
  const imageEdit = useImageEdit()
  const isShown = imageEdit.view.step === 'shown'
  const hasImage = watchlist.fullImageUrl !== null
  return (
    <Panel aria-labelledby={headingId} className="flex flex-col gap-4">
      <h2 id={headingId} className="text-xl">
        {t('settings.about')}
      </h2>
      <div className={classes('grid items-start gap-4', isShown && hasImage && 'sm:grid-cols-[14rem_minmax(0,1fr)]')}>
        <div className="overflow-hidden rounded-control empty:hidden">
          <WatchlistImage watchlist={watchlist} isMember edit={imageEdit} isInset />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <EditableName watchlist={watchlist} edit={edit} level="p" />
          <EditOutcome outcome={edit.outcome} />
          <EditableDescription watchlist={watchlist} edit={edit} />
          {isShown && !hasImage && <AddImageButton edit={imageEdit} />}
        </div>
      </div>
    </Panel>
  )
}
