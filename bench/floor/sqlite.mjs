// The floor on SQLite, with prepared statements. The first argument is the file of the database.
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'

import { systemRandom } from '../../platform/src/runtime/random.ts'

import { serve } from './serve.mjs'
import { SQLITE } from './statements.mjs'

const [path] = process.argv.slice(2)
const open = () => {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000')
  return db
}
const [reader, writer] = [open(), open()]
const [page, member, insert] = [
  reader.prepare(SQLITE.page),
  reader.prepare(SQLITE.member),
  writer.prepare(SQLITE.comment),
]

serve({
  isMember: async (watchlistId, userId) => member.get(watchlistId, userId)?.user_id === userId,
  page: async (watchlistId) => page.all(watchlistId),
  addComment: async ({ watchlistId, cardId, userId, content }) => {
    const [id, at] = [systemRandom.orderedId(), new Date().toISOString()]
    insert.run(watchlistId, cardId, id, userId, 'a user', content, at, at)
    return { commentId: id, cardId, content, authorId: 'a user', createdAt: at, updatedAt: at }
  },
})
