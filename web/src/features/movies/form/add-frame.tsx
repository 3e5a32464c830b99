import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'

import { useTranslation } from '#web/i18n/texts.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { isPhone } from '#web/ui/use-is-phone.ts'
import { useModal } from '#web/ui/use-modal.ts'

type AddFrameProps = {
  /** Something is being sent: the frame stays, because it shows whether that failed. */
  isBusy: boolean
  onClose: () => void
  children: ReactNode
}

/** Holds the form for a new movie: on a phone a sheet over the page, elsewhere a part of the page. */
export function AddFrame({ isBusy, onClose, children }: AddFrameProps) {
  // A turned phone keeps the form as it is.
  const [isSheet] = useState(isPhone)
  const { t } = useTranslation()
  const content = (
    <>
      {children}
      <IconButton
        aria-label={t('close')}
        icon={<X aria-hidden />}
        disabled={isBusy}
        onClick={onClose}
        className="absolute! end-2 top-2 z-10"
      />
    </>
  )
  if (isSheet) return createPortal(<Sheet onClose={isBusy ? () => {} : onClose}>{content}</Sheet>, document.body)
  return <div className="relative flex flex-col rounded-panel border border-line bg-surface p-5">{content}</div>
}

function Sheet({ onClose, children }: Omit<AddFrameProps, 'isBusy'>) {
  const { t } = useTranslation('moviecard')
  const modal = useModal(onClose)
  useAboveKeyboard(modal.ref)
  return (
    <dialog
      {...modal}
      aria-label={t('form.heading')}
      className="inset-x-0 top-auto bottom-(--keyboard,0px) m-0 h-[calc(var(--seen,100dvh)-1.5rem)] max-h-none w-full max-w-none overflow-hidden rounded-t-panel border-t border-line bg-surface text-text shadow-float backdrop:bg-backdrop"
    >
      {/* A field that gets the focus comes to rest above the buttons at the bottom. */}
      <div className="relative flex h-full scroll-pb-20 flex-col overflow-y-auto p-4">{children}</div>
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
