import type { NightMovie } from '@marquee/contract/entities/vote'
import type { ReactNode, Ref } from 'react'

import { useFactsText } from '#web/i18n/movie-facts.ts'
import { MoviePoster } from '#web/ui/movie-poster.tsx'

/** A movie that people at a night decide about. Without `film`, only its title is known. */
export type ShownFilm = { cardId: string; title: string; film: NightMovie | null }

type FilmPosterProps = { film: Pick<ShownFilm, 'title' | 'film'>; className: string }

/** The poster of a film, or a card with its title. */
export function FilmPoster({ film: { title, film }, className }: FilmPosterProps) {
  const picture = film ?? { imageUrl: '', posterState: 'none' }
  return <MoviePoster card={{ ...picture, title }} className={className} />
}

type FilmViewProps = {
  film: ShownFilm
  /** What is said of the film above its title. */
  label?: string
  titleRef?: Ref<HTMLHeadingElement>
  children?: ReactNode
  /** Between the film and its description. */
  below?: ReactNode
}

/** A film as large as a phone allows: poster, title, facts and the start of its description. */
export function FilmView({ film: shown, label, titleRef, children, below }: FilmViewProps) {
  const factsText = useFactsText()
  const { title, film } = shown
  const facts = factsText(film?.movie ?? {})
  return (
    <div className="flex flex-col gap-3">
      <div className="flex gap-4">
        <FilmPoster film={shown} className="w-36 shrink-0 self-start max-[22.5rem]:w-28 sm:w-44" />
        <div className="flex min-w-0 flex-col gap-2">
          {label !== undefined && <p className="text-sm font-semibold text-muted">{label}</p>}
          <h3
            ref={titleRef}
            tabIndex={-1}
            className="line-clamp-4 font-display text-2xl font-semibold wrap-anywhere focus:outline-none"
          >
            <bdi>{title}</bdi>
          </h3>
          {facts !== '' && <p className="line-clamp-4 text-sm wrap-anywhere text-muted">{facts}</p>}
          {children}
        </div>
      </div>
      {below}
      {film !== null && film.description !== null && (
        <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere">
          {film.description}
        </p>
      )}
    </div>
  )
}
