import { useId, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { classes, linkStyle } from '#web/ui/classes.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const PlainText = ({ text }: { text: string }) => <>{text}</>

const LinkedText = lazyPart({
  load: async () => (await import('./linked-text.tsx')).LinkedText,
  Loading: PlainText,
  Failed: PlainText,
})

/** Longer texts are folded. It is a length because the number of lines is known only after layout. */
const FOLD_AFTER = 420
const FOLD_AFTER_LINES = 6

/** A text without one of these has no link, so the link finder need not load. */
const MAY_HOLD_LINKS = /https?:\/\/|www\./iu

/** The description, with clickable links. */
export function CardDescription({ text }: { text: string | null }) {
  const { t } = useTranslation('moviecard')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (text === null || text === '') return <p className="text-xs text-muted">{t('card.noDescription')}</p>
  const isLong = text.length > FOLD_AFTER || text.split('\n').length > FOLD_AFTER_LINES
  return (
    <div>
      <p
        id={id}
        dir="auto"
        className={classes('max-w-[65ch] whitespace-pre-line', isLong && !isOpen && 'line-clamp-6')}
      >
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
