import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import { useTranslation } from '#web/i18n/texts.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { isPhone } from '#web/ui/use-is-phone.ts'

type AddFrameProps = { onClose: () => void; children: ReactNode }

/** Holds the form for a new movie: on a phone a sheet over the page, elsewhere a part of the page. */
export function AddFrame({ onClose, children }: AddFrameProps) {
  // A turned phone keeps the form as it is.
  const [isSheet] = useState(isPhone)
  const { t } = useTranslation()
  const content = (
    <>
      {children}
      <IconButton
        aria-label={t('close')}
        icon={<X aria-hidden />}
        onClick={onClose}
        className="absolute! end-2 top-2 z-10"
      />
    </>
  )
  if (isSheet) return createPortal(<Sheet onClose={onClose}>{content}</Sheet>, document.body)
  return <div className="relative flex flex-col rounded-panel border border-line bg-surface p-5">{content}</div>
}

/** The browser's own modal dialog keeps the focus inside, and closes by the back gesture of a phone. */
function Sheet({ onClose, children }: AddFrameProps) {
  const { t } = useTranslation('moviecard')
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    const focused = document.activeElement
    element?.showModal()
    // The browser moves the focus to the first field.
    if (focused instanceof HTMLElement && element?.contains(focused) === true) focused.focus()
    // The browser returns the focus only if the dialog is closed before it is removed.
    return () => element?.close()
  }, [])
  useAboveKeyboard(dialog)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a press outside is the pointer's way; Escape is the keyboard's
    <dialog
      ref={dialog}
      aria-label={t('form.heading')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose()
      }}
      className="inset-x-0 top-auto bottom-(--keyboard,0px) m-0 h-[calc(var(--seen,100dvh)-1.5rem)] max-h-none w-full max-w-none overflow-hidden rounded-t-panel border-t border-line bg-surface text-text shadow-float backdrop:bg-backdrop"
    >
      <div className="relative flex h-full flex-col overflow-y-auto p-4">{children}</div>
    </dialog>
  )
}

/** Keeps the sheet in the part of the screen that the keyboard leaves. */
function useAboveKeyboard(sheet: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const view = globalThis.visualViewport
    if (!view) return undefined
    const fit = () => {
      const keyboard = Math.max(0, innerHeight - view.height - view.offsetTop)
      sheet.current?.style.setProperty('--seen', `${view.height}px`)
      sheet.current?.style.setProperty('--keyboard', `${keyboard}px`)
    }
    fit()
    view.addEventListener('resize', fit)
    view.addEventListener('scroll', fit)
    return () => {
      view.removeEventListener('resize', fit)
      view.removeEventListener('scroll', fit)
    }
  }, [sheet])
}
