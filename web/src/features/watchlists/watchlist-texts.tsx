import type { Watchlist } from '@marquee/contract/entities/watchlist'
import {
  MAX_WATCHLIST_DESCRIPTION_LENGTH,
  MAX_WATCHLIST_NAME_LENGTH,
  WATCHLIST_DESCRIPTION_ROWS,
} from '@marquee/contract/limits'
import { useTranslation } from 'react-i18next'

import { logWarning } from '#web/api/log.ts'
import { Banner } from '#web/ui/banner.tsx'

import { EditableText } from './editable-text.tsx'
import { useUpdateWatchlist } from './queries.ts'

type WatchlistTextsProps = { watchlist: Watchlist }

/** Description of a watchlist as everyone sees it. */
export function WatchlistDescription({ watchlist }: WatchlistTextsProps) {
  const { t } = useTranslation('watchlist')
  const { description } = watchlist
  if (description === null) return <p className="text-muted">{t('detail.noDescription')}</p>
  return <p className="whitespace-pre-line">{description}</p>
}

/** Name or description with its own edit toggle, for members. Saving one leaves the other as it is. */
function useTextEdit(watchlist: Watchlist) {
  const update = useUpdateWatchlist(watchlist.id)
  const save = async (change: { name: string } | { description: string | null }) => {
    try {
      await update.mutateAsync({ name: watchlist.name, description: watchlist.description, ...change })
      return true
    } catch (error) {
      logWarning('The watchlist could not be updated', error)
      return false
    }
  }
  return { update, save }
}

function Outcome({ update }: { update: ReturnType<typeof useUpdateWatchlist> }) {
  const { t } = useTranslation('watchlist')
  if (update.isSuccess) return <Banner tone="success">{t('edit.saved')}</Banner>
  if (update.isError) return <Banner tone="error">{t('edit.failed')}</Banner>
  return null
}

/** The name of a watchlist, editable. */
export function EditableName({ watchlist }: WatchlistTextsProps) {
  const { t } = useTranslation('watchlist')
  const { update, save } = useTextEdit(watchlist)
  return (
    <div className="flex flex-col gap-3">
      <EditableText
        name="name"
        label={t('fields.name')}
        editLabel={t('edit.name')}
        value={watchlist.name}
        maxLength={MAX_WATCHLIST_NAME_LENGTH}
        isRequired
        isSaving={update.isPending}
        onOpen={update.reset}
        onSave={async (name) => save({ name })}
      >
        <h1 className="text-3xl">{watchlist.name}</h1>
      </EditableText>
      <Outcome update={update} />
    </div>
  )
}

/** The description of a watchlist, editable; an empty one is saved as none. */
export function EditableDescription({ watchlist }: WatchlistTextsProps) {
  const { t } = useTranslation('watchlist')
  const { update, save } = useTextEdit(watchlist)
  return (
    <div className="flex flex-col gap-3">
      <EditableText
        name="description"
        label={t('fields.description')}
        editLabel={t('edit.description')}
        value={watchlist.description ?? ''}
        rows={WATCHLIST_DESCRIPTION_ROWS}
        maxLength={MAX_WATCHLIST_DESCRIPTION_LENGTH}
        isSaving={update.isPending}
        onOpen={update.reset}
        onSave={async (description) => save({ description: description === '' ? null : description })}
      >
        <WatchlistDescription watchlist={watchlist} />
      </EditableText>
      <Outcome update={update} />
    </div>
  )
}
