import { z } from 'zod'

/** A comment (spec section 3). `authorId` is a username; `updatedAt` later than `createdAt` means edited. */
export const Comment = z.object({
  commentId: z.string(),
  cardId: z.string(),
  content: z.string(),
  authorId: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Comment = z.infer<typeof Comment>
