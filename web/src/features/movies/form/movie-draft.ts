import { Movie } from '@marquee/contract/entities/movie'

import type { Draft } from '#web/session/drafts.ts'

import { type MovieValues, textsIn } from './movie-values.ts'

/** The place of the draft of a new movie for a watchlist. */
export function movieDraftPlace(watchlistId: string): string {
  return `movie.${watchlistId}`
}

/** The place of what is in the search for a new movie. */
export function searchDraftPlace(watchlistId: string): string {
  return `movie-search.${watchlistId}`
}

/** The place where it is kept that the user has closed the form, so that a draft does not open it. */
export function closedFormPlace(watchlistId: string): string {
  return `movie-closed.${watchlistId}`
}

/** The place of the draft of an edited card. */
export function cardDraftPlace(cardId: string): string {
  return `card.${cardId}`
}

type Kept = ReturnType<typeof textsIn> & Pick<MovieValues, 'imageUrl' | 'movie' | 'revealImmediately'>

/** Saves the text fields and the facts. A chosen file is too large to be kept. An empty form is not a draft. */
export function writeMovieDraft(draft: Draft, values: MovieValues): void {
  const texts = textsIn(values)
  const { imageUrl, movie, revealImmediately } = values
  const isEmpty = [...Object.values(texts), imageUrl].every((text) => text.trim() === '')
  const kept: Kept = { ...texts, imageUrl, movie, revealImmediately }
  if (isEmpty) draft.clear()
  else draft.save(JSON.stringify(kept))
}

/** Reads the draft, as far as it is valid. */
export function readMovieDraft(draft: Draft): Partial<Kept> {
  const text = draft.read()
  if (text === undefined) return {}
  try {
    const kept = JSON.parse(text) as Record<string, unknown>
    const imageUrl = kept['imageUrl']
    return {
      ...textsIn(kept),
      imageUrl: typeof imageUrl === 'string' ? imageUrl : '',
      movie: Movie.safeParse(kept['movie']).data ?? null,
      revealImmediately: kept['revealImmediately'] === true,
    }
  } catch {
    return {}
  }
}
