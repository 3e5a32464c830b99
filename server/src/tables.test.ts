import { expect, test } from 'vitest'

import { eachDatabase } from '@marquee/platform/testing/each-database'

import { MIGRATIONS } from './make-tables.ts'
import type { Tables } from './tables.ts'

/** The columns in the types, and whether each may be null. The compiler rejects a list that differs from the types. */
const COLUMNS: {
  [Table in keyof Tables]: {
    [Column in keyof Tables[Table]]-?: null extends Tables[Table][Column] ? 'null' : 'not null'
  }
} = {
  watchlist: {
    id: 'not null',
    name: 'not null',
    description: 'null',
    owner_id: 'not null',
    owner_username: 'not null',
    created_at: 'not null',
    updated_at: 'not null',
    image_hash: 'null',
    is_private: 'not null',
    version: 'not null',
    box_count: 'not null',
    member_count: 'not null',
  },
  member: { watchlist_id: 'not null', user_id: 'not null', username: 'not null', joined_at: 'not null' },
  person_watchlist: { user_id: 'not null', watchlist_id: 'not null', joined_at: 'not null' },
  card: {
    watchlist_id: 'not null',
    id: 'not null',
    title: 'not null',
    description: 'null',
    movie: 'null',
    movie_key: 'null',
    title_key: 'null',
    folded_title: 'not null',
    folded_people: 'not null',
    folded_genres: 'not null',
    year: 'not null',
    runtime_minutes: 'not null',
    image_url: 'null',
    image_hash: 'null',
    copy_hash: 'null',
    copy_failed: 'not null',
    status: 'not null',
    creator_id: 'not null',
    creator_username: 'not null',
    created_at: 'not null',
    updated_at: 'not null',
    status_changed_at: 'not null',
    status_change_count: 'not null',
    selection_index: 'null',
  },
  movie_import: {
    user_id: 'not null',
    id: 'not null',
    watchlist_id: 'not null',
    username: 'not null',
    file_name: 'not null',
    format: 'not null',
    state: 'not null',
    problems: 'not null',
    problem_count: 'not null',
    created_at: 'not null',
    due_at: 'null',
  },
  import_row: {
    user_id: 'not null',
    import_id: 'not null',
    place: 'not null',
    file: 'null',
    file_row: 'not null',
    title: 'not null',
    movie: 'not null',
    is_seen: 'not null',
    category: 'not null',
    match_card_id: 'null',
    match_place: 'null',
    is_chosen: 'not null',
    card_id: 'not null',
    outcome: 'null',
  },
  status_change: {
    watchlist_id: 'not null',
    card_id: 'not null',
    seq: 'not null',
    status: 'not null',
    changed_by: 'not null',
    changed_at: 'not null',
  },
  card_wants: {
    watchlist_id: 'not null',
    card_id: 'not null',
    user_id: 'not null',
    created_at: 'not null',
    id: 'not null',
    username: 'not null',
    title: 'not null',
    movie: 'null',
  },
  draw_state: { watchlist_id: 'not null', rule: 'not null', rest: 'not null', draw_count: 'not null' },
  draw: {
    watchlist_id: 'not null',
    draw_number: 'not null',
    status: 'not null',
    rule: 'not null',
    filter: 'null',
    picks: 'not null',
    eligible: 'not null',
    people: 'null',
    candidates: 'null',
    server_seed: 'null',
    commitment: 'null',
    seeds: 'not null',
    prepared_at: 'not null',
    revealed_at: 'null',
    username: 'not null',
  },
  draw_pick: {
    watchlist_id: 'not null',
    draw_number: 'not null',
    place: 'not null',
    card_id: 'not null',
    ticket: 'null',
    secret: 'null',
    odds: 'null',
  },
  draw_secret: { watchlist_id: 'not null', card_id: 'not null', change_count: 'not null', secret: 'not null' },
  comment: {
    watchlist_id: 'not null',
    card_id: 'not null',
    id: 'not null',
    author_id: 'not null',
    author_username: 'not null',
    content: 'not null',
    created_at: 'not null',
    updated_at: 'not null',
  },
  card_viewings: {
    watchlist_id: 'not null',
    card_id: 'not null',
    user_id: 'not null',
    username: 'not null',
    seen_on: 'null',
    half_stars: 'null',
    note: 'null',
    changed_at: 'not null',
  },
  invitation: {
    watchlist_id: 'not null',
    user_id: 'not null',
    username: 'not null',
    invited_by: 'not null',
    created_at: 'not null',
    expires_at: 'not null',
  },
  person_invitation: {
    watchlist_id: 'not null',
    user_id: 'not null',
    username: 'not null',
    invited_by: 'not null',
    created_at: 'not null',
    expires_at: 'not null',
    token_hash: 'not null',
    accepted_at: 'null',
  },
  invitation_mail: { user_id: 'not null', recent: 'not null', version: 'not null' },
  person: { user_id: 'not null', username: 'not null', current_watchlist_id: 'null', avatar_hash: 'null' },
  image_hold: { hash: 'not null', held_until: 'not null', is_going: 'not null' },
  poster_request: {
    watchlist_id: 'not null',
    card_id: 'not null',
    user_id: 'not null',
    url: 'not null',
    attempts: 'not null',
    due_at: 'not null',
  },
  installation: { slot: 'not null', id: 'not null' },
  mail_outbox: {
    id: 'not null',
    recipient: 'not null',
    subject: 'not null',
    text_body: 'not null',
    html_body: 'not null',
    created_at: 'not null',
    attempts: 'not null',
    due_at: 'not null',
    claimed_by: 'null',
  },
  idempotent_reply: {
    user_id: 'not null',
    endpoint: 'not null',
    key_hash: 'not null',
    request_mac: 'not null',
    reply_box: 'null',
    created_at: 'not null',
  },
}

eachDatabase(MIGRATIONS, (theDatabase) => {
  test('the types of the tables match the database', async () => {
    const { dialect, schema } = theDatabase()
    const tables = (await schema.introspection.getTables()).filter(({ name }) => !/^identity_|_migration$/u.test(name))

    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(COLUMNS).toSorted())
    for (const { name, columns } of tables) {
      // SQLite does not report that a primary key is never null.
      const found = columns.map((column) => [
        column.name,
        column.isNullable && dialect === 'postgres' ? 'null' : 'not null',
      ])
      const typed = Object.entries(COLUMNS[name as keyof Tables]).map(([column, nullability]) => [
        column,
        dialect === 'postgres' ? nullability : 'not null',
      ])
      expect([name, Object.fromEntries(found)]).toEqual([name, Object.fromEntries(typed)])
    }
  })
})
