import { z } from 'zod'

import { optionalText, text } from '../base/endpoint.ts'
import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH } from '../base/limits.ts'
import { Movie } from './movie.ts'

/**
 * What a member writes on a card, besides its image. Cards, exports, restores, forms and the columns of the table take their
 * fields from here, so that a field which one of them forgets does not compile. A new field is optional: cards of before
 * have none, and neither have programs that do not know it.
 */
export const CardContent = z.object({
  title: z.string(),
  description: z.string().nullable(),
  movie: Movie.optional(),
})
export type CardContent = z.infer<typeof CardContent>

export type ContentField = keyof CardContent

/** The same within the limits of what users write. An edit without a description removes it; every other field stays. */
export const WrittenContent = z.object({
  title: text({ required: 'Movie title is required', max: MAX_CARD_TITLE_LENGTH }),
  description: optionalText(MAX_CARD_DESCRIPTION_LENGTH),
  movie: Movie.nullish(),
} satisfies Record<ContentField, z.ZodType>)
export type WrittenContent = z.output<typeof WrittenContent>

const FIELDS = Object.keys(CardContent.shape) as ContentField[]

/** The fields that a member gave; the others stay as they are. */
export function givenFields(content: Partial<Record<ContentField, unknown>>): ContentField[] {
  return FIELDS.filter((field) => content[field] !== undefined)
}

/** The content of a card, without its other fields. */
export function contentOf<C extends Partial<Record<ContentField, unknown>>>(card: C): Pick<C, ContentField & keyof C> {
  return Object.fromEntries(givenFields(card).map((field) => [field, card[field]])) as Pick<C, ContentField & keyof C>
}
