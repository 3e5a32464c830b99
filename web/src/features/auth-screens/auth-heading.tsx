import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

type AuthHeadingProps = { title: string; children?: ReactNode }

/**
 * The heading of an account screen, and the page's title; what follows it stands below in a quieter tone. It takes the
 * focus when its screen appears, so that the change is read out and Tab goes on from here.
 */
export function AuthHeading({ title, children }: AuthHeadingProps) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  return (
    <header className="flex flex-col gap-2">
      <title>{t('pageTitle', { page: title })}</title>
      <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h1>
      {children !== undefined && <p className="text-muted">{children}</p>}
    </header>
  )
}
