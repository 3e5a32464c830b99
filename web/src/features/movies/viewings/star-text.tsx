import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'

/** A rating to read, such as "★★★★½". */
export function StarText({ stars }: { stars: number }) {
  const { t } = useTranslation('moviecard')
  return (
    <span className="whitespace-nowrap text-text">
      <span aria-hidden>
        {'★'.repeat(Math.floor(stars))}
        {stars % 1 > 0 && '½'}
      </span>
      <span className="sr-only">{t('seen.stars', { stars: numberText(stars), count: stars })}</span>
    </span>
  )
}
