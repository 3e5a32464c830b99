import { MAX_VIEWING_NOTE_LENGTH } from '@marquee/contract/limits'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import type { ViewingBody } from './mutations.ts'
import { StarChoice } from './star-choice.tsx'

type ViewingFormProps = {
  /** What the user has said about the movie before. */
  rating: ViewingBody | null
  isSeen: boolean
  isBusy: boolean
  /** Without a body the mark is removed. */
  onSave: (body: ViewingBody | undefined) => void
  onClose: () => void
}

type Values = { stars: number | null; note: string; seenOn: string }

const valuesOf = (rating: ViewingBody | null): Values => ({
  stars: rating?.stars ?? null,
  note: rating?.note ?? '',
  seenOn: rating?.seenOn ?? '',
})

/** That the user has seen a movie: a rating, the day and a line about it, all optional. */
export function ViewingForm({ rating, isSeen, isBusy, onSave, onClose }: ViewingFormProps) {
  const { t } = useTranslation('moviecard')
  // What the user has not touched follows the mark, which a night or a server may make meanwhile.
  const [typed, setTyped] = useState<Partial<Values>>({})
  const { stars, note, seenOn } = { ...valuesOf(rating), ...typed }
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
      <StarChoice value={stars} onChange={(chosen) => setTyped({ ...typed, stars: chosen })} />
      <TextField
        label={t('seen.note')}
        name="note"
        value={note}
        error={isTooLong ? t('seen.noteTooLong', { max: MAX_VIEWING_NOTE_LENGTH }) : undefined}
        onChange={({ target }) => setTyped({ ...typed, note: target.value })}
      />
      <TextField
        label={t('seen.day')}
        name="seenOn"
        type="date"
        value={seenOn}
        onChange={({ target }) => setTyped({ ...typed, seenOn: target.value })}
      />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" size="small" type="submit" busy={isBusy} disabled={isTooLong}>
          {t('seen.save')}
        </Button>
        <Button tone="quiet" size="small" onClick={onClose}>
          {t('seen.close')}
        </Button>
        {isSeen && (
          <Button tone="quiet" size="small" disabled={isBusy} onClick={() => onSave(undefined)}>
            {t('seen.remove')}
          </Button>
        )}
      </div>
    </form>
  )
}
