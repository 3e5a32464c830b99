const CARD =
  'card.id, card.watchlist_id, title, description, image_url, image_hash, status, creator_username, created_at, updated_at, status_changed_at, selection_index'
const CHANGE = "'status', s.status, 'changedBy', s.changed_by, 'changedAt', s.changed_at"
const COMMENT =
  "'commentId', c.id, 'cardId', c.card_id, 'content', c.content, 'authorId', c.author_username, 'createdAt', c.created_at, 'updatedAt', c.updated_at"

/** A page of the feed with histories and last comments; `array` and `object` are the database's JSON functions. */
const page = ({ array, object }, param) => `select ${CARD},
  (select cast(coalesce(${array}(${object}(${CHANGE}) order by s.seq), '[]') as text) from status_change as s
    where s.watchlist_id = card.watchlist_id and s.card_id = card.id) as status_changes,
  (select cast(coalesce(${array}(${object}(${COMMENT}) order by c.id desc), '[]') as text) from (
    select * from comment where comment.watchlist_id = card.watchlist_id and comment.card_id = card.id
    order by comment.id desc limit 3) as c) as last_comments
  from card where card.watchlist_id = ${param(1)} and card.status <> 'SUGGESTED'
  order by card.status_changed_at desc, card.id desc limit 11`

const member = (param) =>
  `select watchlist.version, is_private, owner_id, member.user_id from watchlist left join member
    on member.watchlist_id = watchlist.id and member.user_id = ${param(2)} where watchlist.id = ${param(1)}`

const comment = (param) => `insert into comment values (${[1, 2, 3, 4, 5, 6, 7, 8].map(param).join(', ')})`

const statements = (json, param) => ({ page: page(json, param), member: member(param), comment: comment(param) })

export const SQLITE = statements({ array: 'json_group_array', object: 'json_object' }, (n) => `?${n}`)
export const POSTGRES = statements({ array: 'json_agg', object: 'json_build_object' }, (n) => `$${n}`)
