import type { ReactNode } from 'react'

import { lazyPart } from '#web/ui/lazy-part.tsx'

import type { AskForMovieProps } from './ask-for-movie.tsx'

type AskLineProps = AskForMovieProps & { className: string; children: ReactNode }

function Line({ className, children }: AskLineProps) {
  return <div className={className}>{children}</div>
}

/** The line of a card, with what became of the movie if it was asked for. Only watchlists that can ask load it. */
export const AskLine = lazyPart<AskLineProps>({
  load: async () => (await import('./ask-for-movie.tsx')).AskLine,
  Loading: Line,
  Failed: Line,
})
