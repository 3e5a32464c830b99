import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH } from '@marquee/contract/limits'
import { isDirectImageUrl, isHttpUrl } from '@marquee/contract/rules/image'

/** Where the poster comes from; `keep` is the one a card has already. */
export type ImageSource = 'keep' | 'url' | 'file'

/** What stands in a movie form. `imageFile` is the chosen file as a data URL, empty until one is chosen. */
export type MovieValues = {
  title: string
  description: string
  imageSource: ImageSource
  imageUrl: string
  imageFile: string
  revealImmediately: boolean
}

export const EMPTY_MOVIE: MovieValues = {
  title: '',
  description: '',
  imageSource: 'url',
  imageUrl: '',
  imageFile: '',
  revealImmediately: false,
}

export type MovieFault = {
  field: 'title' | 'description' | 'imageUrl' | 'imageFile'
  key: 'titleRequired' | 'titleTooLong' | 'descriptionTooLong' | 'imageRequired' | 'invalidImageUrl'
}

export const INVALID_URL: MovieFault = { field: 'imageUrl', key: 'invalidImageUrl' }

/**
 * The first rule the values break, in the order of spec section 5, "Movie card form"; undefined if they keep all that
 * can be told without asking the server.
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

/** The URL that only the server can tell is one of an image: its extension does not say so. */
export function urlToCheck({ imageSource, imageUrl }: MovieValues): string | undefined {
  const url = imageUrl.trim()
  return imageSource === 'url' && !isDirectImageUrl(url) ? url : undefined
}

function textsOf(values: MovieValues) {
  const description = values.description.trim()
  return { title: values.title.trim(), ...(description === '' ? {} : { description }) }
}

function imageOf({ imageSource, imageUrl, imageFile }: MovieValues): string {
  return imageSource === 'file' ? imageFile : imageUrl.trim()
}

/** What is sent to add a movie: trimmed, an empty description left out. */
export function addMovieBody(values: MovieValues) {
  return { ...textsOf(values), image: imageOf(values), revealImmediately: values.revealImmediately }
}

/** What is sent to change a movie: trimmed, an empty description and an image that stays left out. */
export function editMovieBody(values: MovieValues) {
  return { ...textsOf(values), ...(values.imageSource === 'keep' ? {} : { image: imageOf(values) }) }
}
