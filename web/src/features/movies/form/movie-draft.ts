import { Movie } from '@marquee/contract/entities/movie'

import type { Draft } from '#web/session/drafts.ts'

import { FactsValues } from './facts-values.ts'
import { type MovieValues, textsIn } from './movie-values.ts'

type Texts = ReturnType<typeof textsIn>
type Kept = Texts &
  Pick<MovieValues, 'imageUrl' | 'movie' | 'facts' | 'revealImmediately'> & {
    imageSource?: 'url'
    base?: DraftBase | undefined
  }

/** What the card had when its form opened. */
export type DraftBase = Texts & Pick<MovieValues, 'movie'>

/**
 * Saves the text fields and the facts as they are typed, and of a card also what they were when the form opened. A chosen file is too large
 * to be kept. An empty form is not a draft.
 */
export function writeMovieDraft(draft: Draft, values: MovieValues, base?: DraftBase): void {
  const texts = textsIn(values)
  const { imageSource, imageUrl, movie, facts, revealImmediately } = values
  const isEmpty = [...Object.values(texts), imageUrl].every((text) => text.trim() === '')
  const kept: Kept = {
    ...texts,
    ...(imageSource === 'url' && { imageSource }),
    imageUrl,
    movie,
    facts,
    revealImmediately,
    base: base && { ...textsIn(base), movie: base.movie },
  }
  if (isEmpty) draft.clear()
  else draft.save(JSON.stringify(kept))
}

function jsonIn(draft: Draft): Record<string, unknown> | null {
  try {
    return JSON.parse(draft.read() ?? 'null') as Record<string, unknown> | null
  } catch {
    return null
  }
}

/** Null if it was removed, and undefined if an earlier version kept it with a half-typed fact. */
const movieIn = ({ movie }: Record<string, unknown>) => (movie === null ? null : Movie.safeParse(movie).data)

/** Reads the draft, as far as it is valid. Without `facts`, which earlier versions did not keep, they are those of the movie. */
export function readMovieDraft(draft: Draft): Partial<Omit<Kept, 'base'>> {
  const kept = jsonIn(draft)
  if (kept === null) return {}
  const { imageSource, imageUrl } = kept
  const movie = movieIn(kept)
  const facts = FactsValues.safeParse(kept['facts']).data
  return {
    ...textsIn(kept),
    ...(imageSource === 'url' && { imageSource }),
    imageUrl: typeof imageUrl === 'string' ? imageUrl : '',
    ...(movie !== undefined && { movie }),
    ...(facts && { facts }),
    revealImmediately: kept['revealImmediately'] === true,
  }
}

/** Reads what the card had when the form of this draft opened. Drafts of earlier versions do not say. */
export function readDraftBase(draft: Draft): DraftBase | undefined {
  const base = jsonIn(draft)?.['base'] as Record<string, unknown> | undefined
  return base && { ...textsIn(base), movie: movieIn(base) ?? null }
}
