import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Parts that no screen needs at first. They load when they are about to be shown. */
const FormLoading = () => <Skeleton className="h-160" />

const PlainText = ({ text }: { text: string }) => <>{text}</>

export const AddMovieForm = lazyPart({
  load: async () => (await import('./form/card-forms.tsx')).AddMovieForm,
  Loading: FormLoading,
  Failed: PartFailed,
})

/** As high as a line of facts and a line of links. */
const FactsLoading = () => <div className="h-10" />

export const MovieFacts = lazyPart({
  load: async () => (await import('./card/movie-facts.tsx')).MovieFacts,
  Loading: FactsLoading,
  Failed: FactsLoading,
})

export const ViewingPanel = lazyPart({
  load: async () => (await import('./viewings/viewing-panel.tsx')).ViewingPanel,
  Failed: PartFailed,
})

export const SpoilerWall = lazyPart({
  load: async () => (await import('./comments/spoiler-wall.tsx')).SpoilerWall,
  Loading: () => <Skeleton className="h-24" />,
  Failed: PartFailed,
})

export const CommentForm = lazyPart({
  load: async () => (await import('./comments/comment-form.tsx')).CommentForm,
  Loading: () => <Skeleton className="h-36" />,
  Failed: PartFailed,
})

export const NightLine = lazyPart({
  load: async () => (await import('./viewings/night-line.tsx')).NightLine,
  Loading: () => <div className="h-5" />,
  Failed: () => null,
})

export const UnratedMovies = lazyPart({
  load: async () => (await import('./viewings/unrated-movies.tsx')).UnratedMovies,
  Failed: () => null,
})

export const WantedBy = lazyPart({
  load: async () => (await import('./card/wanted-by.tsx')).WantedBy,
  // As high as a line of faces.
  Loading: () => <div className="h-6" />,
  Failed: () => null,
})

export const RevealNotice = lazyPart({
  load: async () => (await import('./feed/notices.tsx')).RevealNotice,
  Failed: () => null,
})

export const UndoBar = lazyPart({
  load: async () => (await import('./feed/notices.tsx')).UndoBar,
  Failed: () => null,
})

export const SuggestionList = lazyPart({
  load: async () => (await import('./box/suggestion-list.tsx')).SuggestionList,
  Loading: () => <Skeleton className="m-4 h-24" />,
  Failed: PartFailed,
})

export const LinkedText = lazyPart({
  load: async () => (await import('./card/linked-text.tsx')).LinkedText,
  Loading: PlainText,
  Failed: PlainText,
})
