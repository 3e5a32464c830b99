import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'

import { BrandTitle } from '#web/features/auth-screens/brand-title.tsx'

/** The shared layout of the authentication screens: the brand title above a narrow column. */
export function Component() {
  const { t } = useTranslation()
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-sm flex-col gap-9 px-4 py-8 sm:py-14">
      <div className="flex justify-center">
        <BrandTitle>{t('productName')}</BrandTitle>
      </div>
      <main className="flex flex-col gap-6">
        <Outlet />
      </main>
    </div>
  )
}
