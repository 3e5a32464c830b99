import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { classes, linkStyle } from '#web/ui/classes.ts'

import { LinkedText } from '../lazy-parts.tsx'

/** Longer texts are folded; a length, since how many lines it makes is known only after it is shown. */
const FOLD_AFTER = 420
const FOLD_AFTER_LINES = 6

/** Without one of these there is no link in a text, and nothing that finds links is needed. */
const MAY_HOLD_LINKS = /https?:\/\/|www\./iu

/** Why someone wants to see it, with its links clickable. */
export function CardDescription({ text }: { text: string | null }) {
  const { t } = useTranslation('moviecard')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (text === null || text === '') return <p className="text-muted">{t('card.noDescription')}</p>
  const isLong = text.length > FOLD_AFTER || text.split('\n').length > FOLD_AFTER_LINES
  return (
    <div>
      <p id={id} className={classes('max-w-[65ch] whitespace-pre-line', isLong && !isOpen && 'line-clamp-6')}>
        {MAY_HOLD_LINKS.test(text) ? <LinkedText text={text} /> : text}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className={classes(linkStyle, 'mt-1 min-h-6 pointer-coarse:min-h-11')}
        >
          {isOpen ? t('card.less') : t('card.more')}
        </button>
      )}
    </div>
  )
}
