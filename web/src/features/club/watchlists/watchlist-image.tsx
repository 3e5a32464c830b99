import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { IMAGE_SUCCESS_CLOSES_AFTER_MS } from '@marquee/contract/limits'
import { ImagePlus, ImageUp } from 'lucide-react'
import { useState, type RefObject, useEffect, useRef } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Banner, PartFailed } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { focusSoon } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const ImageEditor = lazyPart({
  load: async () => (await import('./image-editor.tsx')).ImageEditor,
  Loading: () => <Skeleton className="h-80" />,
  Failed: PartFailed,
})

type WatchlistImageProps = {
  watchlist: Watchlist
  isMember: boolean
  edit: ImageEdit
  /** The place around it has its own padding. */
  isInset?: boolean
}

/** The image of a watchlist, or, in its place, the panel in which a member changes it. */
export function WatchlistImage({ watchlist, isMember, edit, isInset = false }: WatchlistImageProps) {
  const { t } = useTranslation('watchlist')
  const { view, place, opener, open, close, done } = edit
  const cover =
    watchlist.fullImageUrl === null ? null : <CoverImage key={watchlist.fullImageUrl} src={watchlist.fullImageUrl} />
  switch (view.step) {
    case 'shown':
      if (cover === null) return null
      return (
        <div className="relative">
          {cover}
          {isMember && (
            <IconButton
              ref={opener}
              aria-label={t('image.change')}
              icon={<ImageUp aria-hidden />}
              className="absolute end-3 bottom-3 border border-control-edge bg-surface text-text!"
              onPointerEnter={ImageEditor.preload}
              onFocus={ImageEditor.preload}
              onClick={open}
            />
          )}
        </div>
      )
    case 'editing':
      return (
        <div ref={place} className={isInset ? undefined : 'px-4 pt-5 sm:px-5'}>
          <ImageEditor watchlist={watchlist} onDone={done} onClose={close} />
        </div>
      )
    case 'done':
      return (
        <div ref={place} tabIndex={-1} className="flex flex-col gap-3 focus:outline-none">
          {cover}
          <div className={isInset ? undefined : 'px-4 first:pt-5 sm:px-5'}>
            <Banner tone="success">{t(`image.${view.what}`)}</Banner>
          </div>
        </div>
      )
  }
}

/** For members of a watchlist that has no image yet. */
export function AddImageButton({ edit: { opener, open } }: { edit: ImageEdit }) {
  const { t } = useTranslation('watchlist')
  return (
    <Button
      ref={opener}
      tone="quiet"
      size="small"
      icon={<ImagePlus aria-hidden />}
      className="self-start"
      onPointerEnter={ImageEditor.preload}
      onFocus={ImageEditor.preload}
      onClick={open}
    >
      {t('image.add')}
    </Button>
  )
}

/** Above the panel of a phone, also of one on its side, the name stays on the screen. */
const COVER = 'aspect-3/2 max-h-[30svh] w-full bg-raised lg:max-h-none'

/** Decoration above the name. If it cannot be loaded, its place stays empty. */
function CoverImage({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <div className={COVER} />
  return <img src={src} alt="" onError={() => setBroken(true)} className={classes(COVER, 'object-cover')} />
}

type ImageView = { step: 'shown' } | { step: 'editing' } | { step: 'done'; what: 'uploaded' | 'removed' }

type ImageEdit = {
  view: ImageView
  /** The element that takes the focus between two steps. */
  place: RefObject<HTMLDivElement | null>
  /** A ref for the button that opens the editor. The focus returns to it. */
  opener: (button: HTMLButtonElement | null) => void
  open: () => void
  close: () => void
  done: (what: 'uploaded' | 'removed') => void
}

/** The steps of changing the image of a watchlist. The success message is shown for 2 seconds. */
export function useImageEdit(): ImageEdit {
  const [view, setView] = useState<ImageView>({ step: 'shown' })
  const place = useRef<HTMLDivElement>(null)
  const takesFocusBack = useRef(false)
  const isDone = view.step === 'done'

  const close = () => {
    const { activeElement } = document
    // If the user has moved the focus meanwhile, it stays there.
    takesFocusBack.current = activeElement === document.body || place.current?.contains(activeElement) === true
    setView({ step: 'shown' })
  }

  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(close, IMAGE_SUCCESS_CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDone])

  return {
    view,
    place,
    opener: (button) => {
      if (button === null || !takesFocusBack.current) return
      takesFocusBack.current = false
      button.focus()
    },
    open: () => setView({ step: 'editing' }),
    close,
    done: (what) => {
      setView({ step: 'done', what })
      focusSoon(place)
    },
  }
}
