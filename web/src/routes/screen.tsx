import type { ReactNode } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'

type ScreenProps = { title: string; children: ReactNode }

/** A narrow screen below the top bar, with its title in the browser's tab. */
export function Screen({ title, children }: ScreenProps) {
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-8 sm:px-6 sm:py-12">
      <ScreenTitle title={title} />
      {children}
    </div>
  )
}

/** The title in the browser's tab: the screen's, then the product's. */
export function ScreenTitle({ title }: { title: string }) {
  const { t } = useTranslation()
  return <title>{`${title} · ${t('productName')}`}</title>
}
