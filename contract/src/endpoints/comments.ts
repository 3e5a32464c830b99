import { z } from 'zod'

import { Comment, CommentsPage } from '../entities/comment.ts'
import { MAX_COMMENT_LENGTH } from '../base/limits.ts'
import { PageQuery, cardParams, commentParams, endpoint, text } from '../base/endpoint.ts'

const CommentBody = z.object({ content: text({ required: 'A comment is required', max: MAX_COMMENT_LENGTH }) })

export const COMMENT_ENDPOINTS = {
  listComments: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/cards/:cardId/comments',
    summary: 'A page of the comments of a card, newest first',
    auth: 'by-link',
    status: 200,
    params: cardParams,
    query: PageQuery,
    reply: CommentsPage,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
  }),
  addComment: endpoint({
    method: 'POST',
    path: '/watchlists/:watchlistId/cards/:cardId/comments',
    summary: 'Comment on a card of the feed; members only',
    auth: 'required',
    status: 201,
    params: cardParams,
    body: CommentBody,
    reply: Comment,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
    takesKey: true,
  }),
  editComment: endpoint({
    method: 'PUT',
    path: '/watchlists/:watchlistId/cards/:cardId/comments/:commentId',
    summary: 'Change a comment; its author only',
    auth: 'required',
    status: 200,
    params: commentParams,
    body: CommentBody,
    reply: Comment,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
    takesKey: true,
  }),
  deleteComment: endpoint({
    method: 'DELETE',
    path: '/watchlists/:watchlistId/cards/:cardId/comments/:commentId',
    summary: 'Delete a comment; its author only',
    auth: 'required',
    status: 204,
    params: commentParams,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
} as const
