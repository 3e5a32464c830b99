import { z } from 'zod'

import { Comment, CommentsPage } from '../entities/comment.ts'
import { MAX_COMMENT_LENGTH } from '../base/limits.ts'
import { PageQuery, endpoint, text } from '../base/endpoint.ts'

const CommentBody = z.object({ content: text({ required: 'A comment is required', max: MAX_COMMENT_LENGTH }) })

export const COMMENT_ENDPOINTS = {
  listComments: endpoint('GET', '/watchlists/:watchlistId/cards/:cardId/comments', {
    summary: 'A page of the comments of a card, newest first',
    auth: 'by-link',
    query: PageQuery,
    reply: CommentsPage,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
  }),
  addComment: endpoint('POST', '/watchlists/:watchlistId/cards/:cardId/comments', {
    summary: 'Comment on a card of the feed; members only',
    status: 201,
    body: CommentBody,
    reply: Comment,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    takesKey: true,
  }),
  editComment: endpoint('PUT', '/watchlists/:watchlistId/cards/:cardId/comments/:commentId', {
    summary: 'Change a comment; its author only',
    body: CommentBody,
    reply: Comment,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    takesKey: true,
  }),
  deleteComment: endpoint('DELETE', '/watchlists/:watchlistId/cards/:cardId/comments/:commentId', {
    summary: 'Delete a comment; its author only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
} as const
