import { type Language, LANGUAGES } from '@marquee/contract/languages'
import { Languages } from 'lucide-react'

import { languageOf, LANGUAGE_NAMES } from './language.ts'
import { useTranslation } from './texts.ts'

type LanguageSelectProps = {
  value: Language
  onChoose: (language: Language) => void
  disabled?: boolean
}

/** The languages of the app, each by its own name. */
export function LanguageSelect({ value, onChoose, disabled = false }: LanguageSelectProps) {
  const { t } = useTranslation()
  return (
    <label className="flex items-center gap-2 self-center text-sm text-muted">
      <Languages aria-hidden className="size-4.5" />
      <span className="sr-only">{t('language.label')}</span>
      <select
        value={value}
        disabled={disabled}
        onChange={({ target }) => {
          const chosen = languageOf(target.value)
          if (chosen !== undefined) onChoose(chosen)
        }}
        className="min-h-9 cursor-pointer rounded-control bg-transparent py-1 ps-1 pe-2 text-text hover:bg-raised pointer-coarse:min-h-11"
      >
        {LANGUAGES.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {LANGUAGE_NAMES[tag]}
          </option>
        ))}
      </select>
    </label>
  )
}
