import type { Comment } from '@marquee/contract/entities/comment'
import { toJson } from '@marquee/platform/database/json'

import { COMMENT_JSON, type CommentRow } from './store.ts'

export function presentComment(row: CommentRow): Comment {
  return toJson(row, COMMENT_JSON)
}
