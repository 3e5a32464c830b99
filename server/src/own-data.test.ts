import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { DataExport } from '@marquee/contract/entities/account'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { MIGRATIONS } from './migrations/make-tables.ts'
import { insertWebhook } from './rooms/news/webhooks/store.ts'
import { saveLink } from './rooms/movies/media-links/store.ts'
import { insertServer } from './rooms/movies/media-servers/store.ts'
import { insertRequest, insertRequestServer } from './rooms/movies/movie-requests/store.ts'
import { type Caller, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { A_MEDIA_SERVER, A_REQUEST_SERVER } from './testing/media-servers.ts'
import { anApp } from './testing/start-app.ts'

const AT = '2026-11-20T18:00:00.000Z'

/** By the column that says whose a row is: the field of the download that has it. */
const DOWNLOADED: Readonly<Record<string, string>> = {
  'person.user_id': 'profile',
  'person_invitation.user_id': 'invitations',
  'invitation.user_id': 'invitations',
  'personal_token.user_id': 'personalTokens',
  'notification.user_id': 'notifications',
  'push_subscription.user_id': 'pushDevices',
  'notification_settings.user_id': 'notificationSettings',
  'movie_import.user_id': 'imports',
  'import_row.user_id': 'imports',
  'watchlist.owner_id': 'watchlists',
  'member.user_id': 'watchlists',
  'person_watchlist.user_id': 'watchlists',
  'card.creator_id': 'watchlists.cards',
  'comment.author_id': 'watchlists.comments',
  'card_wants.user_id': 'watchlists.wants',
  'card_viewings.user_id': 'watchlists.viewings',
  'night_answer.user_id': 'watchlists.nights',
  'night_presence.user_id': 'watchlists.nights',
  'night_ballot.user_id': 'watchlists.ballots',
  'night_veto.user_id': 'watchlists.vetoes',
  'join_link.user_id': 'watchlists.joinLinks',
  'media_link.user_id': 'watchlists.mediaLinks',
  'media_server.creator_id': 'watchlists.mediaServers',
  'request_server.creator_id': 'watchlists.requestServers',
  'movie_request.asker_id': 'watchlists.movieRequests',
  'webhook.creator_id': 'watchlists.webhooks',
}

/** Why the download leaves the others out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'activity.invitee_id': 'waits until it is announced',
  'draw_seed.person_id': 'a random number of a device',
  'draw_seed_hash.person_id': 'the hash of a random number of a device',
  'idempotent_reply.user_id': 'the encrypted reply to a call, for a repetition of it',
  'invitation_mail.user_id': 'counts mails of today',
  'join_link.invitee_id': 'the same as the received invitation',
  'join_reservation.user_id': 'the place of an account that is being made',
  'media_mark.user_id': 'waits until a media server has the viewing',
  'night_absentee.user_id': 'the roll of a vote until it closes',
  'night_claim.user_id': 'leads to the ballots',
  'night_feed.user_id': 'the hash of a secret',
  'night_mail.user_id': 'waits until it is mailed',
  'night_viewer.user_id': 'the same as the viewing',
  'notification_mail.user_id': 'waits until it is mailed',
  'notification_mail_time.user_id': 'when the last mail of a kind was sent',
  'personal_token_key.user_id': 'the hash of a secret',
  'poster_request.user_id': 'waits until a picture is copied',
  'push_message.user_id': 'waits until it is sent',
  'rated_mark.user_id': 'what a viewing was before an import rated it',
}

/** The name of a column that says whose a row is. */
const OWNER = /^(?:user|asker|creator|author|person|invitee|owner|inviter)_id$/u

eachStatement(MIGRATIONS, (theDatabase) => {
  const theApp = anApp(theDatabase)
  const download = async (by: Caller) => await callOk(theApp(), ENDPOINTS.exportData, by)

  test('each column that refers to a user is in the data download or listed as left out', async () => {
    const tables = await theDatabase().schema.introspection.getTables()
    const columns = tables
      .filter(({ name }) => !/^identity_|_migration$/u.test(name))
      .flatMap(({ name: table, columns }) => columns.map(({ name }) => ({ table, name })))
      .filter(({ name }) => OWNER.test(name))
      .map(({ table, name }) => `${table}.${name}`)

    expect(columns.toSorted()).toEqual([...Object.keys(DOWNLOADED), ...Object.keys(LEFT_OUT)].toSorted())
    const ofWatchlist = Object.keys(DataExport.shape.watchlists.element.shape).map((name) => `watchlists.${name}`)
    const fields = new Set([...Object.keys(DataExport.shape), ...ofWatchlist])
    expect(Object.values(DOWNLOADED).filter((field) => !fields.has(field))).toEqual([])
  })

  test('the download of a user has their imports with all rows', async () => {
    const ana = aUser('ana')
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const titles = Array.from({ length: 1_001 }, (_, n) => `Film ${n}`)
    const body = {
      fileName: 'films.csv',
      fileData: btoa(['Title,Year,Rating', ...titles.map((name) => `${name},1985,4`)].join('\n')),
    }
    await callOk(theApp(), ENDPOINTS.beginImport, ana, { params: { watchlistId: watchlist.id }, body })

    const [found, ...more] = (await download(ana)).imports

    expect(more).toEqual([])
    expect(found).toMatchObject({ watchlistId: watchlist.id, fileName: 'films.csv', format: 'csv', state: 'review' })
    expect(found?.rows.map(({ title }) => title)).toEqual(titles)
    expect(found?.rows[0]).toMatchObject({ row: 2, movie: { year: 1985 }, isChosen: true, seenOn: null })
    expect((await download(aUser('ben'))).imports).toEqual([])
  })

  test('the download has what the user set up in a watchlist, without secrets or data of other users', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const params = { watchlistId: watchlist.id }
    const { id: inFeed } = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    const { id: inBox } = await aCard(theApp(), { inside: watchlist, by: ana, title: 'A secret' })
    const eve = aUser('eve')
    await callOk(theApp(), ENDPOINTS.inviteUser, ana, { params, body: { username: eve.username } })
    await callOk(theApp(), ENDPOINTS.inviteByMail, ana, { params, body: { email: 'zoe@example.org' } })
    await theDatabase().transaction(async (trx) => {
      const watchlist_id = watchlist.id
      for (const { userId, username } of [ana, ben]) {
        const server = { ...A_MEDIA_SERVER, watchlist_id, id: `server of ${username}`, creator_id: userId }
        await insertServer(trx, { ...server, target: 'the sealed key' })
        await saveLink(trx, {
          watchlist_id,
          server_id: server.id,
          user_id: userId,
          username,
          state: 'linked',
          is_sent: 1,
          remote_id: `id of ${username}`,
          remote_name: `name of ${username}`,
          device: 'tv',
          token: 'the sealed token',
          linked_at: AT,
          failures: 0,
          failing_since: null,
          retry_at: 0,
        })
        await insertWebhook(trx, {
          watchlist_id,
          id: `webhook of ${username}`,
          name: `Chat of ${username}`,
          format: 'slack',
          host: 'chat.example.org',
          target: 'the sealed address',
          kinds: '["card.revealed"]',
          state: 'on',
          created_at: AT,
          failures: 0,
          failing_since: null,
          retry_at: 0,
          creator_id: userId,
        })
      }
      await insertRequestServer(trx, {
        ...A_REQUEST_SERVER,
        watchlist_id,
        creator_id: ana.userId,
        target: 'the sealed key',
      })
      for (const [card_id, tmdb_id, asker_id] of [
        [inFeed, '348', ana.userId],
        [inBox, '349', ana.userId],
        [inFeed, '350', ben.userId],
      ] as const) {
        const request = { watchlist_id, card_id, tmdb_id, asker_id, state: 'asked', sent_at: null } as const
        await insertRequest(trx, { ...request, due_at: null, attempts: 0, claimed_by: null })
      }
    })

    const downloads = [await download(ana), await download(ben)]

    const [own, others] = downloads.map(({ watchlists: [found] }) => ({
      sentInvitations: found?.sentInvitations.map(({ username, invitedBy }) => [username, invitedBy]),
      mediaLinks: found?.mediaLinks.map(({ accountId, name, state }) => [accountId, name, state]),
      mediaServers: found?.mediaServers.map(({ serverId }) => serverId),
      requestServers: found?.requestServers.length,
      movieRequests: found?.movieRequests,
      webhooks: found?.webhooks.map(({ name, host }) => [name, host]),
    }))
    expect(own).toEqual({
      sentInvitations: [
        ['eve', 'ana'],
        ['zoe@example.org', 'ana'],
      ],
      mediaLinks: [['id of ana', 'name of ana', 'linked']],
      mediaServers: ['server of ana'],
      requestServers: 1,
      movieRequests: [{ cardId: inFeed, tmdbId: '348', state: 'asked', sentAt: null }],
      webhooks: [['Chat of ana', 'chat.example.org']],
    })
    expect(others).toEqual({
      sentInvitations: [],
      mediaLinks: [['id of ben', 'name of ben', 'linked']],
      mediaServers: ['server of ben'],
      requestServers: 0,
      movieRequests: [{ cardId: inFeed, tmdbId: '350', state: 'asked', sentAt: null }],
      webhooks: [['Chat of ben', 'chat.example.org']],
    })
    expect(JSON.stringify(downloads)).not.toMatch(/the sealed/u)
  })
})
