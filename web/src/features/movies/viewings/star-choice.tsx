import { Star } from 'lucide-react'
import { useId } from 'react'

import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'

const STARS = [1, 2, 3, 4, 5] as const

type StarChoiceProps = { value: number | null; onChange: (stars: number | null) => void }

const choiceStyle =
  'cursor-pointer rounded-poster has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent'

/** A radio group of half stars, and of no rating. Each half of a star is a radio button. */
export function StarChoice({ value, onChange }: StarChoiceProps) {
  const { t } = useTranslation('moviecard')
  const name = useId()
  const radio = (stars: number | null) => (
    <input
      type="radio"
      name={name}
      value={stars ?? ''}
      checked={stars === value}
      aria-label={stars === null ? undefined : t('seen.stars', { stars: numberText(stars), count: stars })}
      onChange={() => onChange(stars)}
      className="sr-only"
    />
  )
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{t('seen.rating')}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="flex">
          {STARS.map((star) => (
            <div key={star} className="relative flex h-11">
              <PaintedStar filled={Math.min(1, Math.max(0, (value ?? 0) - star + 1))} />
              {/* Twenty-four pixels, which a finger can hit. */}
              <label className={`w-6 ${choiceStyle}`}>{radio(star - 0.5)}</label>
              <label className={`w-6 ${choiceStyle}`}>{radio(star)}</label>
            </div>
          ))}
        </div>
        <label
          className={`flex min-h-8 items-center border border-transparent px-2 text-sm text-muted has-checked:border-accent has-checked:text-text pointer-coarse:min-h-11 ${choiceStyle}`}
        >
          {radio(null)}
          {t('seen.noRating')}
        </label>
      </div>
    </fieldset>
  )
}

/** `filled` is 0, 0.5 or 1. */
function PaintedStar({ filled }: { filled: number }) {
  return (
    <span aria-hidden className="pointer-events-none absolute inset-0 flex items-center justify-center">
      <span className="relative size-8">
        <Star className="size-8 text-control-edge" />
        <span className="absolute inset-y-0 start-0 overflow-hidden" style={{ width: `${filled * 100}%` }}>
          <Star className="size-8 max-w-none fill-accent text-accent" />
        </span>
      </span>
    </span>
  )
}
