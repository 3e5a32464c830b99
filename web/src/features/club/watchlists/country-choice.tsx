import '#web/i18n/where-texts.ts'
import { TMDB_ATTRIBUTION } from '@marquee/contract/entities/catalogue'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { COUNTRIES } from '@marquee/contract/rules/countries'
import { useState } from 'react'
import { Link } from 'react-router'

import { locale } from '#web/i18n/language.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

import { useSetCountry } from './settings-mutations.ts'
import { watchlistFailure } from './watchlist-states.tsx'

/** In the language of the page, in its order. */
function countryNames(): [code: string, name: string][] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const { compare } = new Intl.Collator(locale)
  return COUNTRIES.map((code): [string, string] => [code, names.of(code) ?? code]).toSorted(([, one], [, other]) =>
    compare(one, other),
  )
}

/** The country in which the members watch. */
export function CountryChoice({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('moviecard')
  const [countries] = useState(countryNames)
  const save = useSetCountry(watchlist.id)
  return (
    <Panel className="flex flex-col gap-4">
      <h2 className="text-xl">{t('where.country.title')}</h2>
      <SelectField
        label={t('where.country.label')}
        name="country"
        // The choice shows before the server has answered.
        value={(save.isPending ? save.variables : watchlist.country) ?? ''}
        onChange={(code) => save.mutate(code === '' ? null : code)}
      >
        <option value="">{t('where.country.none')}</option>
        {countries.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <CallFailureBanner
        what={t('where.country.failed')}
        kind={watchlistFailure('update', save.error)}
        error={save.error}
      />
      <p className="text-sm text-muted">
        {t('where.country.hint')}{' '}
        <Link to={to.profileEdit()} className="underline underline-offset-3 hover:text-text">
          {t('where.country.services')}
        </Link>
      </p>
      <p className="text-xs text-muted">
        {t('where.source')} <span lang="en">{TMDB_ATTRIBUTION}</span>
      </p>
    </Panel>
  )
}
