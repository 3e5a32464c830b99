import { type ReactNode, useEffect, useRef } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'

type AuthHeadingProps = {
  title: string
  children?: ReactNode
  /** The id of the text below the title, for a field that takes the focus and is described by it. */
  textId?: string
  /** A field takes the focus. */
  leavesFocus?: boolean
}

/**
 * The heading of an account screen, and the title of the page. The children are shown below. It takes the focus when
 * its screen appears, unless a field does, so that the change is read out and Tab continues from here.
 */
export function AuthHeading({ title, children, textId, leavesFocus = textId !== undefined }: AuthHeadingProps) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
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
        <p id={textId} className="break-words text-muted">
          {children}
        </p>
      )}
    </header>
  )
}
