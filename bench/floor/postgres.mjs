// The floor on PostgreSQL, with named prepared statements. The first argument is the URL of the database.
import process from 'node:process'

import pg from 'pg'
import { systemRandom } from '../../platform/src/runtime/random.ts'

import { serve } from './serve.mjs'
import { POSTGRES } from './statements.mjs'

const [connectionString] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })
const run = async (name, values) => (await pool.query({ name, text: POSTGRES[name], values })).rows

serve({
  isMember: async (watchlistId, userId) => (await run('member', [watchlistId, userId]))[0]?.user_id === userId,
  page: async (watchlistId) => await run('page', [watchlistId]),
  addComment: async ({ watchlistId, cardId, userId, content }) => {
    const [id, at] = [systemRandom.orderedId(), new Date().toISOString()]
    await run('comment', [watchlistId, cardId, id, userId, 'a user', content, at, at])
    return { commentId: id, cardId, content, authorId: 'a user', createdAt: at, updatedAt: at }
  },
})
