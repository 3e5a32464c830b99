import type { ReactNode } from 'react'

import { LanguageSelect } from '#web/i18n/language-select.tsx'
import { chooseLanguage, language } from '#web/i18n/language.ts'
import { useTranslation } from '#web/i18n/texts.ts'

type SignLayoutProps = { children: ReactNode }

/** A screen outside the signed-in frame: the brand title above a narrow column. */
export function SignLayout({ children }: SignLayoutProps) {
  const { t } = useTranslation()
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-sm flex-col gap-9 px-4 py-8 sm:py-14">
      <header className="flex justify-center">
        <BrandTitle>{t('productName')}</BrandTitle>
      </header>
      <main className="flex flex-col gap-6">{children}</main>
      <footer className="mt-auto flex justify-center">
        <LanguageSelect value={language} onChoose={chooseLanguage} />
      </footer>
    </div>
  )
}

type BrandTitleProps = { children: string }

const BULBS_ACROSS =
  'absolute inset-x-2 h-1.5 bg-[radial-gradient(circle,var(--accent)_2px,transparent_2.5px)] bg-size-[14px_6px] bg-repeat-space'
const BULBS_DOWN =
  'absolute inset-y-2 w-1.5 bg-[radial-gradient(circle,var(--accent)_2px,transparent_2.5px)] bg-size-[6px_14px] bg-repeat-space'

/** The product's name as a marquee sign with faint bulbs around it. */
function BrandTitle({ children }: BrandTitleProps) {
  return (
    <p className="relative px-9 py-5 font-display text-4xl leading-none font-extrabold tracking-tight">
      <span aria-hidden className="opacity-45">
        <span className={`${BULBS_ACROSS} top-0`} />
        <span className={`${BULBS_ACROSS} bottom-0`} />
        <span className={`${BULBS_DOWN} start-0`} />
        <span className={`${BULBS_DOWN} end-0`} />
      </span>
      {children}
    </p>
  )
}
