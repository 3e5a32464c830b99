import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { to } from '#web/paths.ts'

/** The product's name, which leads home. */
export function Brand() {
  const { t } = useTranslation()
  return (
    <Link
      to={to.home()}
      className="flex min-h-11 shrink-0 items-center font-display text-xl font-bold tracking-tight text-accent"
    >
      {t('productName')}
    </Link>
  )
}
