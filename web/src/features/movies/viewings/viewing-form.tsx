import type { Viewing } from '@marquee/contract/entities/viewing'
import { MAX_VIEWING_NOTE_LENGTH } from '@marquee/contract/limits'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import type { ViewingBody } from './mutations.ts'
import { StarChoice } from './star-choice.tsx'

type ViewingFormProps = {
  own: Viewing | null
  isBusy: boolean
  /** Without a body the mark is removed. */
  onSave: (body: ViewingBody | undefined) => void
  onClose: () => void
}

/** That the user has seen a movie: a rating, the day and a line about it, all optional. */
export function ViewingForm({ own, isBusy, onSave, onClose }: ViewingFormProps) {
  const { t } = useTranslation('moviecard')
  const [stars, setStars] = useState(own?.stars ?? null)
  const [note, setNote] = useState(own?.note ?? '')
  const [seenOn, setSeenOn] = useState(own?.seenOn ?? '')
  const isTooLong = note.trim().length > MAX_VIEWING_NOTE_LENGTH
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isTooLong) onSave({ stars, note, seenOn: seenOn === '' ? null : seenOn })
      }}
      className="flex flex-col gap-3"
    >
      <StarChoice value={stars} onChange={setStars} />
      <TextField
        label={t('seen.note')}
        name="note"
        value={note}
        error={isTooLong ? t('seen.noteTooLong', { max: MAX_VIEWING_NOTE_LENGTH }) : undefined}
        onChange={({ target }) => setNote(target.value)}
      />
      <TextField
        label={t('seen.day')}
        name="seenOn"
        type="date"
        value={seenOn}
        onChange={({ target }) => setSeenOn(target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" size="small" type="submit" busy={isBusy} disabled={isTooLong}>
          {t('seen.save')}
        </Button>
        <Button tone="quiet" size="small" onClick={onClose}>
          {t('seen.close')}
        </Button>
        {own !== null && (
          <Button tone="quiet" size="small" disabled={isBusy} onClick={() => onSave(undefined)}>
            {t('seen.remove')}
          </Button>
        )}
      </div>
    </form>
  )
}
