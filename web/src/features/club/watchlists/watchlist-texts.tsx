import type { Watchlist } from '@marquee/contract/entities/watchlist'
import {
  MAX_WATCHLIST_DESCRIPTION_LENGTH,
  MAX_WATCHLIST_NAME_LENGTH,
  WATCHLIST_DESCRIPTION_ROWS,
} from '@marquee/contract/limits'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { BriefSuccess } from '#web/ui/brief-success.tsx'

import { EditableText } from './editable-text.tsx'
import { useUpdateWatchlist } from './mutations.ts'
import { watchlistFailure } from './watchlist-states.tsx'

type Texts = { name: string } | { description: string | null }

/** Saves the name or the description of a watchlist, and shows the outcome of the last edit. */
export function useTextEdit(watchlist: Watchlist) {
  const update = useUpdateWatchlist(watchlist.id)
  const save = async (texts: Texts) => {
    try {
      await update.mutateAsync({ name: watchlist.name, description: watchlist.description, ...texts })
      return true
    } catch {
      // The outcome below shows the failure.
      return false
    }
  }
  return { isSaving: update.isPending, outcome: update, forget: update.reset, save }
}

type TextEdit = ReturnType<typeof useTextEdit>

/** The outcome of the last save. A success is shown for some seconds. */
export function EditOutcome({ outcome }: Pick<TextEdit, 'outcome'>) {
  const { t } = useTranslation('watchlist')
  if (outcome.isSuccess) return <BriefSuccess onEnd={outcome.reset}>{t('edit.saved')}</BriefSuccess>
  return (
    <CallFailureBanner what={t('edit.failed')} kind={watchlistFailure('update', outcome.error)} error={outcome.error} />
  )
}

type EditableNameProps = {
  watchlist: Watchlist
  edit: TextEdit
  /** Where the page has another title, the name is a text. */
  level?: 'h1' | 'p'
}

/** The name of a watchlist, editable. */
export function EditableName({ watchlist, edit, level: Level = 'h1' }: EditableNameProps) {
  const { t } = useTranslation('watchlist')
  return (
    <EditableText
      name="name"
      label={t('fields.name')}
      editLabel={t('edit.name')}
      value={watchlist.name}
      maxLength={MAX_WATCHLIST_NAME_LENGTH}
      isRequired
      isSaving={edit.isSaving}
      onToggle={edit.forget}
      onSave={async (name) => edit.save({ name })}
    >
      <Level className={Level === 'h1' ? 'text-3xl' : 'text-lg font-semibold'}>
        <bdi>{watchlist.name}</bdi>
      </Level>
    </EditableText>
  )
}

/** The description of a watchlist, editable. An empty one is saved as null. */
export function EditableDescription({ watchlist, edit }: { watchlist: Watchlist; edit: TextEdit }) {
  const { t } = useTranslation('watchlist')
  return (
    <EditableText
      name="description"
      label={t('fields.description')}
      editLabel={t('edit.description')}
      value={watchlist.description ?? ''}
      rows={WATCHLIST_DESCRIPTION_ROWS}
      maxLength={MAX_WATCHLIST_DESCRIPTION_LENGTH}
      isSaving={edit.isSaving}
      onToggle={edit.forget}
      onSave={async (description) => edit.save({ description: description === '' ? null : description })}
    >
      <WatchlistDescription watchlist={watchlist} />
    </EditableText>
  )
}

/** The description of a watchlist, read-only. */
export function WatchlistDescription({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('watchlist')
  const { description } = watchlist
  if (description === null) return <p className="text-muted">{t('detail.noDescription')}</p>
  return (
    <p className="whitespace-pre-line">
      <bdi>{description}</bdi>
    </p>
  )
}
