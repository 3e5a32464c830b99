import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH } from '@marquee/contract/limits'
import { isDirectImageUrl, isHttpUrl } from '@marquee/contract/rules/image'

/** What stands in the add-movie form. `imageFile` is the chosen file as a data URL, empty until one is chosen. */
export type AddMovieValues = {
  title: string
  description: string
  imageSource: 'url' | 'file'
  imageUrl: string
  imageFile: string
  revealImmediately: boolean
}

export const EMPTY_MOVIE: AddMovieValues = {
  title: '',
  description: '',
  imageSource: 'url',
  imageUrl: '',
  imageFile: '',
  revealImmediately: false,
}

export type AddMovieFault = {
  field: 'title' | 'description' | 'imageUrl' | 'imageFile'
  key: 'titleRequired' | 'titleTooLong' | 'descriptionTooLong' | 'imageRequired' | 'invalidImageUrl'
}

export const INVALID_URL: AddMovieFault = { field: 'imageUrl', key: 'invalidImageUrl' }

/**
 * The first rule the values break, in the order of spec section 5, "Movie card form"; undefined if they keep all that
 * can be told without asking the server.
 */
export function addMovieFault(values: AddMovieValues): AddMovieFault | undefined {
  const title = values.title.trim()
  if (title === '') return { field: 'title', key: 'titleRequired' }
  if (title.length > MAX_CARD_TITLE_LENGTH) return { field: 'title', key: 'titleTooLong' }
  if (values.description.trim().length > MAX_CARD_DESCRIPTION_LENGTH) {
    return { field: 'description', key: 'descriptionTooLong' }
  }
  const imageField = values.imageSource === 'url' ? 'imageUrl' : 'imageFile'
  const image = values[imageField].trim()
  if (image === '') return { field: imageField, key: 'imageRequired' }
  if (imageField === 'imageUrl' && !isDirectImageUrl(image) && !isHttpUrl(image)) return INVALID_URL
  return undefined
}

/** The URL that only the server can tell is one of an image: its extension does not say so. */
export function urlToCheck({ imageSource, imageUrl }: AddMovieValues): string | undefined {
  const url = imageUrl.trim()
  return imageSource === 'url' && !isDirectImageUrl(url) ? url : undefined
}

/** What is sent: trimmed, an empty description left out. */
export function addMovieBody(values: AddMovieValues) {
  const description = values.description.trim()
  return {
    title: values.title.trim(),
    ...(description === '' ? {} : { description }),
    image: values.imageSource === 'url' ? values.imageUrl.trim() : values.imageFile,
    revealImmediately: values.revealImmediately,
  }
}
