import { useTranslation } from '#web/i18n/texts.ts'
import { Faces, MOST_FACES } from '#web/people/faces.tsx'

import '../lazy-texts.ts'
import { locale } from '#web/i18n/language.ts'

/** Created when first needed, because it takes milliseconds. */
let list: Intl.ListFormat | undefined

/** Who wanted a movie besides the member who added it. */
export function WantedBy({ usernames }: { usernames: readonly string[] }) {
  const { t } = useTranslation('moviecard')
  const shown = usernames.slice(0, MOST_FACES)
  const rest = usernames.length - shown.length
  list ??= new Intl.ListFormat(locale, { type: 'conjunction' })
  const users = list.format(rest === 0 ? shown : [...shown, t('wants.others', { count: rest })])
  return (
    <div className="flex items-center gap-2 text-sm text-muted">
      <Faces usernames={usernames}>
        {rest > 0 && (
          <span className="inline-flex h-6 min-w-6 items-center justify-center bg-raised px-1 text-xs font-semibold">
            {t('wants.rest', { count: rest })}
          </span>
        )}
      </Faces>
      <p className="line-clamp-3 min-w-0 wrap-anywhere sm:line-clamp-2">{t('wants.by', { users })}</p>
    </div>
  )
}
