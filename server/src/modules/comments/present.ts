import type { Comment } from '@marquee/contract/entities/comment'
import { toJson } from '@marquee/platform/database/json'

import type { CommentRow } from './store.ts'

/** The JSON of a comment, in replies as in the cards that embed it. */
export const COMMENT_JSON = {
  commentId: 'id',
  cardId: 'card_id',
  content: 'content',
  authorId: 'author_username',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof Comment, keyof CommentRow>

export function presentComment(row: CommentRow): Comment {
  return toJson(row, COMMENT_JSON)
}
