import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

type AuthHeadingProps = {
  title: string
  children?: ReactNode
  /** The id of what follows the title, where a field that takes the focus itself has it read out. */
  textId?: string
}

/**
 * The heading of an account screen, and the page's title; what follows it stands below in a quieter tone. It takes the
 * focus when its screen appears, so that the change is read out and Tab goes on from here, unless a field does.
 */
export function AuthHeading({ title, children, textId }: AuthHeadingProps) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const leavesFocus = textId !== undefined
  useEffect(() => {
    if (!leavesFocus) heading.current?.focus()
  }, [leavesFocus])

  return (
    <header className="flex flex-col gap-2">
      <title>{t('pageTitle', { page: title })}</title>
      <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h1>
      {children !== undefined && (
        <p id={textId} className="text-muted">
          {children}
        </p>
      )}
    </header>
  )
}
