import '#web/i18n/club-texts.ts'
import type { Language } from '@marquee/contract/languages'
import { useState } from 'react'

import { refuseLanguage } from '#web/i18n/language-notes.ts'
import { language, LANGUAGE_NAMES } from '#web/i18n/language.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useChooseLanguage } from '#web/people/mutations.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** Asks whether the account takes the language of this browser. If not, it keeps its own, or else English. */
export function LanguageQuestion({ wanted }: { wanted: Language }) {
  const { t } = useTranslation('watchlist')
  const choose = useChooseLanguage()
  const [isOver, setOver] = useState(false)
  if (isOver) return null
  const name = LANGUAGE_NAMES[wanted]
  // Without a choice the page already is in the wanted language.
  const other = wanted === language ? 'en' : language
  const keep = () => {
    if (other !== language) {
      choose.mutate(other)
      return
    }
    refuseLanguage(wanted)
    setOver(true)
  }
  return (
    <div className="mx-auto w-full max-w-[68.75rem] px-4 pt-2 sm:px-6">
      <Banner
        tone="info"
        action={
          <div className="flex flex-wrap gap-2">
            <Button
              tone="quiet"
              size="small"
              busy={choose.isPending}
              onClick={() => choose.mutate(wanted, { onSuccess: () => setOver(true) })}
            >
              {t('languageQuestion.use', { name })}
            </Button>
            <Button tone="quiet" size="small" disabled={choose.isPending} onClick={keep}>
              {t('languageQuestion.keep', { name: LANGUAGE_NAMES[other] })}
            </Button>
          </div>
        }
      >
        <p className="text-text">{t('languageQuestion.question', { name })}</p>
        {choose.isError && <p className="text-sm text-danger">{t('languageQuestion.failed')}</p>}
      </Banner>
    </div>
  )
}
