import pg from 'pg'

export type PlacedCard = { readonly watchlistId: string; readonly cardId: string }

/**
 * Adds cards to the feeds of watchlists in one statement. It names only columns of the first version, so that it can fill
 * the tables of each. Returns one card of each watchlist.
 */
export async function fillCards(
  url: string,
  { watchlistIds, cards }: { watchlistIds: readonly string[]; cards: number },
): Promise<PlacedCard[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into card (watchlist_id, id, title, description, image_url, status, creator_id, creator_username, created_at,
      updated_at, status_changed_at, status_change_count)
    select ($1::text[])[1 + n % $2], gen_random_uuid()::text, 'The night of the film number ' || n,
      repeat('A film that one should see. ', 4), 'https://posters.example.org/' || n || '.jpg', 'WATCHED', 'u', 'ana', t, t, t, 2
    from generate_series(1, $3) as n,
      lateral (select to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"') as t) as made`,
    [watchlistIds, watchlistIds.length, cards],
  )
  await client.query(
    `insert into status_change (watchlist_id, card_id, seq, status, changed_by, changed_at)
    select watchlist_id, id, seq, case seq when 0 then 'SUGGESTED' else 'WATCHED' end, 'ana', created_at
    from card, generate_series(0, 1) as seq where status = 'WATCHED'`,
  )
  await client.query('analyze')
  const { rows } = await client.query<PlacedCard>(
    `select distinct on (watchlist_id) watchlist_id as "watchlistId", id as "cardId" from card`,
  )
  await client.end()
  return rows
}
