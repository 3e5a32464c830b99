import { z } from 'zod'

/** A comment. `authorId` is a username; `updatedAt` later than `createdAt` means edited. */
export const Comment = z.object({
  commentId: z.string(),
  cardId: z.string(),
  content: z.string(),
  authorId: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Comment = z.infer<typeof Comment>

export const CommentsPage = z.object({ comments: z.array(Comment), nextToken: z.string().nullable() })
export type CommentsPage = z.infer<typeof CommentsPage>
