import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { MoviePoster } from '#web/ui/movie-poster.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { saveFile } from '#web/ui/save-file.ts'

import { drawPicture } from './draw-picture.ts'
import { daysOfYear } from './period.ts'
import { statisticsOf } from './queries.ts'
import { columnsOf, useYearPictures, type YearPicture } from './year-pictures.ts'

type OurYearProps = { watchlistId: string; name: string; year: number; onClose: () => void }

/** The year of a watchlist as pictures over the whole screen, to leaf through and to save. */
export function OurYear({ watchlistId, name, year, onClose }: OurYearProps) {
  const { t } = useTranslation('watchlist')
  const dialog = useRef<HTMLDialogElement>(null)
  const picturesOf = useYearPictures()
  const { data, error } = useQuery(statisticsOf(watchlistId, daysOfYear(year)))
  const pictures = data === undefined ? [] : picturesOf(name, year, data)
  const { index, goTo } = useLeafing(pictures.length)
  const picture = pictures[index]
  const save = useMutation({
    mutationFn: async (shown: YearPicture) => {
      if (dialog.current === null) return
      const file = await drawPicture(shown, dialog.current, t('common:productName'))
      saveFile(file, `${t('year.title', { year })} ${index + 1}.png`)
    },
  })

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-label={t('year.title', { year })}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="m-0 flex h-dvh max-h-none w-full max-w-none touch-pan-y flex-col bg-canvas text-text"
    >
      <div className="flex items-center justify-between gap-3 p-3 sm:p-5">
        <IconButton icon={<X aria-hidden />} aria-label={t('year.close')} onClick={onClose} />
        {picture && (
          <Button
            tone="quiet"
            size="small"
            icon={<Download aria-hidden />}
            disabled={save.isPending}
            onClick={() => save.mutate(picture)}
          >
            {t('year.save')}
          </Button>
        )}
      </div>
      <div aria-live="polite" className="flex min-h-0 flex-1 flex-col justify-center overflow-hidden px-5 sm:px-10">
        {save.isError && <Banner tone="error">{t('year.saveFailed')}</Banner>}
        {(error !== null || !picture) && <NoPicture year={year} isLoading={data === undefined} error={error} />}
        {picture && <Picture key={picture.key} picture={picture} />}
      </div>
      {pictures.length > 1 && <Pages index={index} count={pictures.length} goTo={goTo} />}
    </dialog>
  )
}

type NoPictureProps = { year: number; isLoading: boolean; error: Error | null }

/** Why there is no picture, or none that is current. */
function NoPicture({ year, isLoading, error }: NoPictureProps) {
  const { t } = useTranslation('watchlist')
  if (error !== null) return <CallFailureBanner what={t('statistics.failed')} kind="FETCH_ERROR" error={error} />
  if (!isLoading) return <p className="text-center font-display text-2xl">{t('year.empty', { year })}</p>
  return (
    <div className="flex justify-center">
      <Spinner label={t('statistics.loading')} />
    </div>
  )
}

type PagesProps = { index: number; count: number; goTo: (index: number) => void }

function Pages({ index, count, goTo }: PagesProps) {
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex items-center justify-center gap-4 p-3 sm:p-5">
      <IconButton
        icon={<ChevronLeft aria-hidden className="rtl:rotate-180" />}
        aria-label={t('year.previous')}
        disabled={index === 0}
        onClick={() => goTo(index - 1)}
      />
      <span className="text-sm text-muted tabular-nums">{t('year.page', { page: index + 1, count })}</span>
      <IconButton
        icon={<ChevronRight aria-hidden className="rtl:rotate-180" />}
        aria-label={t('year.next')}
        disabled={index === count - 1}
        onClick={() => goTo(index + 1)}
      />
    </div>
  )
}

function Picture({ picture }: { picture: YearPicture }) {
  const { heading, figure, lines, movies } = picture
  const columns = columnsOf(picture)
  const rows = Math.max(1, Math.ceil(movies.length / columns))
  return (
    <div className="mx-auto flex max-h-full w-full max-w-6xl flex-col gap-6 motion-safe:animate-picture sm:gap-8 lg:flex-row lg:items-center lg:justify-between lg:gap-16">
      <div className="flex flex-col gap-2 lg:min-w-0 lg:flex-1">
        <h2 className="text-lg font-semibold text-accent sm:text-xl">{heading}</h2>
        {figure !== '' && (
          <p className="line-clamp-3 font-display text-4xl font-semibold text-balance sm:text-6xl">{figure}</p>
        )}
        {lines.map((line) => (
          <p key={line} className="line-clamp-2 text-lg text-muted sm:text-xl">
            {line}
          </p>
        ))}
      </div>
      <div
        className="grid max-w-full shrink-0 gap-2 [--room:46dvh] sm:gap-4 lg:max-w-[60%] lg:[--room:68dvh]"
        style={{
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          // So narrow that all rows fit into the room, which is a part of the screen's height.
          width: `calc(${columns} * var(--room) / ${rows} * 2 / 3)`,
        }}
      >
        {movies.map((movie) => (
          <MoviePoster key={movie.id} card={movie} className="w-full" />
        ))}
      </div>
    </div>
  )
}

/** A swipe is at least this long. */
const SWIPE_PX = 50

/** Which picture is shown. It is in the URL, and changes by arrow keys and swipes, too. */
function useLeafing(count: number) {
  const [params, setParams] = useSearchParams()
  const wanted = Number(params.get('picture') ?? 1)
  const index = Number.isInteger(wanted) ? Math.max(0, Math.min(wanted, count) - 1) : 0
  const goTo = (next: number) => {
    if (next < 0 || next >= count) return
    setParams(next === 0 ? {} : { picture: String(next + 1) }, { replace: true, preventScrollReset: true })
  }
  const leaf = useEffectEvent((step: 1 | -1) => {
    goTo(document.documentElement.dir === 'rtl' ? index - step : index + step)
  })
  // Before the paint, so that no key is lost that is pressed at the first sight of the picture.
  useLayoutEffect(() => {
    let startX = 0
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowRight') leaf(1)
      if (key === 'ArrowLeft') leaf(-1)
    }
    const onDown = ({ clientX }: PointerEvent) => {
      startX = clientX
    }
    const onUp = ({ clientX }: PointerEvent) => {
      if (Math.abs(clientX - startX) >= SWIPE_PX) leaf(clientX < startX ? 1 : -1)
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onDown)
    document.addEventListener('pointerup', onUp)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onDown)
      document.removeEventListener('pointerup', onUp)
    }
  }, [])
  return { index, goTo }
}
