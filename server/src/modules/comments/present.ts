import type { Comment } from '@marquee/contract/entities/comment'

import type { CommentTables } from './store.ts'

/** A comment as replies show it. */
export function presentComment(row: CommentTables['comment']): Comment {
  return {
    commentId: row.id,
    cardId: row.card_id,
    content: row.content,
    authorId: row.author_username,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
