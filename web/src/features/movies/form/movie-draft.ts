import { Movie } from '@marquee/contract/entities/movie'

import type { Draft } from '#web/session/drafts.ts'

import { type MovieValues, textsIn } from './movie-values.ts'

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
