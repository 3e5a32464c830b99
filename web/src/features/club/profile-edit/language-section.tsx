import { LanguageSelect } from '#web/i18n/language-select.tsx'
import { language } from '#web/i18n/language.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useChooseLanguage } from '#web/people/mutations.ts'
import { Panel } from '#web/ui/panel.tsx'

import { profileFailure } from './picture-section.tsx'

const HEADING_ID = 'language'

/** The language of the app, for all devices of the user. */
export function LanguageSection() {
  const { t } = useTranslation('profile')
  const choose = useChooseLanguage()
  return (
    <Panel aria-labelledby={HEADING_ID} className="flex flex-col gap-3">
      <h2 id={HEADING_ID} tabIndex={-1} className="text-xl focus:outline-none">
        {t('language.title')}
      </h2>
      <CallFailureBanner
        what={t('errors.languageFailed')}
        kind={profileFailure('change', choose.error)}
        error={choose.error}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">{t('language.hint')}</p>
        <LanguageSelect
          value={choose.isError ? language : (choose.variables ?? language)}
          disabled={choose.isPending || choose.isSuccess}
          onChoose={(chosen) => choose.mutate(chosen)}
        />
      </div>
    </Panel>
  )
}
