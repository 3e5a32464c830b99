import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { BrandTitle } from './brand-title.tsx'

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
    </div>
  )
}
