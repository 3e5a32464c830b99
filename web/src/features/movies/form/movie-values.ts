import type { ContentField } from '@marquee/contract/entities/card-content'
import type { CatalogueMovie } from '@marquee/contract/entities/catalogue'
import type { Movie } from '@marquee/contract/entities/movie'
import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH } from '@marquee/contract/limits'
import { isDirectImageUrl, isHttpUrl } from '@marquee/contract/rules/image'

import { type FactName, type FactsValues, factsValues, withFacts, wrongFact } from './facts-values.ts'

/** The source of the poster. `keep` is the current one. */
export type ImageSource = 'keep' | 'url' | 'file'

/** The texts of a card. One that the form forgets does not compile. */
type MovieTexts = Record<Exclude<ContentField, 'movie'>, string>

const NO_TEXTS: MovieTexts = { title: '', description: '' }

/** The texts among the values of a card or a draft; those that are missing are empty. */
export function textsIn(given: Readonly<Partial<Record<keyof MovieTexts, unknown>>>): MovieTexts {
  const texts = { ...NO_TEXTS }
  for (const name of Object.keys(NO_TEXTS) as (keyof MovieTexts)[]) {
    const text = given[name]
    if (typeof text === 'string') texts[name] = text
  }
  return texts
}

/** The values of a movie form. `imageFile` is the chosen file as a data URL, or empty. `movie` is
 * what the card or the catalogue says, if anything, and `facts` what the user makes of it. */
export type MovieValues = MovieTexts & {
  imageSource: ImageSource
  imageUrl: string
  imageFile: string
  movie: Movie | null
  facts: FactsValues
  revealImmediately: boolean
}

export const EMPTY_MOVIE: MovieValues = {
  ...NO_TEXTS,
  imageSource: 'url',
  imageUrl: '',
  imageFile: '',
  movie: null,
  facts: factsValues(null),
  revealImmediately: false,
}

export type MovieFault = {
  field: 'title' | 'description' | 'imageUrl' | 'imageFile' | `facts.${FactName}`
  key:
    | 'titleRequired'
    | 'titleTooLong'
    | 'descriptionTooLong'
    | 'imageRequired'
    | 'invalidImageUrl'
    | `${FactName}Invalid`
}

export const INVALID_URL: MovieFault = { field: 'imageUrl', key: 'invalidImageUrl' }

/**
 * The first rule that the values break, without those that only the server can check. See docs/product/screens.md for
 * the order.
 */
export function movieFault(values: MovieValues): MovieFault | undefined {
  const title = values.title.trim()
  if (title === '') return { field: 'title', key: 'titleRequired' }
  if (title.length > MAX_CARD_TITLE_LENGTH) return { field: 'title', key: 'titleTooLong' }
  if (values.description.trim().length > MAX_CARD_DESCRIPTION_LENGTH) {
    return { field: 'description', key: 'descriptionTooLong' }
  }
  if (values.imageSource === 'keep') return undefined
  const imageField = values.imageSource === 'url' ? 'imageUrl' : 'imageFile'
  const image = values[imageField].trim()
  if (image === '') return { field: imageField, key: 'imageRequired' }
  if (imageField === 'imageUrl' && !isDirectImageUrl(image) && !isHttpUrl(image)) return INVALID_URL
  return undefined
}

/** The first wrong fact. This rule is checked last. */
export function factsFault({ movie, facts }: MovieValues): MovieFault | undefined {
  const name = movie === null ? undefined : wrongFact(movie, facts)
  return name === undefined ? undefined : { field: `facts.${name}`, key: `${name}Invalid` }
}

/** The facts as the user left them. */
function movieOf({ movie, facts }: MovieValues): Movie | null {
  return movie === null ? null : withFacts(movie, facts)
}

/** The URL that the server has to check, because its extension is not one of an image. */
export function urlToCheck({ imageSource, imageUrl }: MovieValues): string | undefined {
  const url = imageUrl.trim()
  return imageSource === 'url' && !isDirectImageUrl(url) ? url : undefined
}

/** Trimmed. Only a description is removed by its absence; any other text is sent empty, because what is absent stays. */
function textsOf(values: MovieValues) {
  const { description: text, ...texts } = textsIn(values)
  for (const name of Object.keys(texts) as (keyof typeof texts)[]) texts[name] = texts[name].trim()
  const description = text.trim()
  return { ...texts, ...(description === '' ? {} : { description }) }
}

function imageOf({ imageSource, imageUrl, imageFile }: MovieValues): string {
  return imageSource === 'file' ? imageFile : imageUrl.trim()
}

/** The body that adds a movie: trimmed, without an empty description. */
export function addMovieBody(values: MovieValues) {
  const movie = movieOf(values)
  const { revealImmediately } = values
  return { ...textsOf(values), image: imageOf(values), ...(movie === null ? {} : { movie }), revealImmediately }
}

/** The body that edits a movie: trimmed, without an empty description, and without an image and facts that stay. */
export function editMovieBody(values: MovieValues, before: Movie | null = null) {
  const movie = movieOf(values)
  const hasNewFacts = JSON.stringify(movie) !== JSON.stringify(before)
  return {
    ...textsOf(values),
    ...(values.imageSource === 'keep' ? {} : { image: imageOf(values) }),
    ...(hasNewFacts ? { movie } : {}),
  }
}

/** What the catalogue knows of a movie; facts that do not fit on a card are missing. */
export type FoundMovie = Omit<CatalogueMovie, 'movie'> & { movie: Movie | null }

/** The values of a form for a movie that was found. */
export function filledIn({ title, description, posterUrl, movie }: FoundMovie): MovieValues {
  const imageUrl = posterUrl ?? ''
  return { ...EMPTY_MOVIE, title, description: description ?? '', imageUrl, movie, facts: factsValues(movie) }
}
