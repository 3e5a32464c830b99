import { createServer } from 'node:http'
import process from 'node:process'

const IMAGES = 'http://localhost/images/'

/**
 * A minimal server with the same replies, the lower bound of the cost: no token check, no rules except membership, no
 * schema. `store` returns the rows. `GET /<watchlist>` is the first page of the feed for the user in `x-user`; `POST
 * /<watchlist>/<card>` adds a comment.
 */
export function serve(store) {
  const server = createServer((incoming, reply) => {
    answer(store, incoming).then(
      (body) => {
        const text = JSON.stringify(body)
        reply.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        reply.end(text)
      },
      (error) => {
        console.error(error)
        reply.writeHead(500, { 'content-length': 0 }).end()
      },
    )
  })
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
  process.on('disconnect', () => process.exit())
}

async function answer(store, incoming) {
  const userId = incoming.headers['x-user']
  const [, watchlistId, cardId] = incoming.url.split('/')
  if (incoming.method === 'POST') {
    const chunks = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { content } = JSON.parse(Buffer.concat(chunks).toString())
    return await store.addComment({ watchlistId, cardId, userId, content })
  }
  if (!(await store.isMember(watchlistId, userId))) throw new Error('Not a member')
  const rows = await store.page(watchlistId)
  const shown = rows.slice(0, 10)
  const last = shown.at(-1)
  const place = rows.length > 10 ? `${last.status_changed_at} ${last.id}` : null
  return { cards: shown.map(present), nextToken: place && Buffer.from(place).toString('base64url') }
}

function present(row) {
  return {
    id: row.id,
    watchlistId: row.watchlist_id,
    title: row.title,
    description: row.description,
    imageUrl: row.image_hash === null ? row.image_url : `${IMAGES}${row.image_hash}`,
    status: row.status,
    creatorId: row.creator_username,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    statusChangedAt: row.status_changed_at,
    statusChanges: JSON.parse(row.status_changes),
    lastComments: JSON.parse(row.last_comments),
    selectionIndex: row.selection_index,
  }
}
