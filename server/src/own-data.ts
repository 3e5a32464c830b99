import { DataExport } from '@marquee/contract/entities/account'
import { Watchlist } from '@marquee/contract/entities/watchlist'
import type { Caller } from '@marquee/platform/http/caller'
import type { z } from 'zod'

import { exportCards, exportWants, keyRanges, onlyInFeed } from './rooms/movies/cards/service.ts'
import { exportComments } from './rooms/movies/comments/service.ts'
import { exportSentInvitations, listReceivedInvitations } from './rooms/club/invitations/service.ts'
import { exportImports } from './rooms/movies/imports/service.ts'
import { exportMediaLinks } from './rooms/movies/media-links/service.ts'
import { exportMediaServers } from './rooms/movies/media-servers/service.ts'
import { exportMovieRequests, exportRequestServers } from './rooms/movies/movie-requests/service.ts'
import { exportBallots, exportNights, exportVetoes } from './rooms/nights/nights/service.ts'
import { exportJoinLinks, mailedInvitations } from './rooms/club/join-links/service.ts'
import { listPersonalTokens } from './rooms/club/personal-tokens/service.ts'
import { exportNotifications, getSettings } from './rooms/news/notifications/service.ts'
import { exportPushDevices } from './rooms/news/push/service.ts'
import { exportWebhooks } from './rooms/news/webhooks/service.ts'
import type { User } from './rooms/club/people/service.ts'
import type { ImageAddresses } from './rooms/movies/images/service.ts'
import { exportViewings } from './rooms/movies/viewings/service.ts'
import { listWatchlists, type WatchlistPorts } from './rooms/club/watchlists/service.ts'
import type { AccountPorts } from './rooms/club/account/service.ts'

export type OwnDataPorts = Pick<WatchlistPorts, 'database' | 'clock'> & {
  readonly images: ImageAddresses
  account: AccountPorts
  ownProfile: (user: User) => Promise<DataExport['profile']>
}

/**
 * All data of a user, in the identity service and in the product, as the JSON of `DataExport`. What grows with a watchlist
 * is read in pages while the text is consumed, so that it is never in memory as a whole.
 */
export async function* ownData(ports: OwnDataPorts, user: User, caller: Caller): AsyncGenerator<string> {
  const { username, avatarUrl, currentWatchlistId, language, services } = await ports.ownProfile(user)
  const head = Head.parse({
    exportedAt: ports.clock.now().toISOString(),
    account: (await ports.account.exportData(user.userId, caller)) ?? null,
    profile: { username, avatarUrl, currentWatchlistId, ...(language && { language }), ...(services && { services }) },
    invitations: await listReceivedInvitations(ports, user),
    personalTokens: await listPersonalTokens(ports, user),
    notifications: await exportNotifications(ports, user),
    pushDevices: await exportPushDevices(ports, user),
    notificationSettings: await getSettings(ports, user),
  })
  yield `${JSON.stringify(head).slice(0, -1)},"imports":[`
  let separator = ''
  for await (const { head: record, rows } of exportImports(ports, user)) {
    yield separator + JSON.stringify(ImportHead.parse(record)).slice(0, -1)
    yield* listText('rows', rows, ExportedImport.shape.rows.element)
    yield '}'
    separator = ','
  }
  yield '],"watchlists":['
  separator = ''
  for (const watchlist of await listWatchlists(ports, user)) {
    yield separator
    yield* exportWatchlist(ports, user, watchlist)
    separator = ','
  }
  yield ']}'
}

const Head = DataExport.omit({ imports: true, watchlists: true })
const { element: ExportedImport } = DataExport.shape.imports
const ImportHead = ExportedImport.omit({ rows: true })
const { element: ExportedWatchlist } = DataExport.shape.watchlists

async function* exportWatchlist(ports: OwnDataPorts, user: User, watchlist: Watchlist): AsyncGenerator<string> {
  const { id } = watchlist
  yield JSON.stringify(Watchlist.parse(watchlist)).slice(0, -1)
  // In the order of the schema.
  const lists: Readonly<Record<ListName, Items>> = {
    cards: exportCards(ports, id, user),
    comments: exportComments(ports, id, user),
    wants: exportWants(ports, id, user),
    viewings: exportViewings({ ...ports, cards: { onlyInFeed, keyRanges } }, id, user),
    nights: await exportNights(ports, id, user),
    ballots: await exportBallots(ports, id, user),
    vetoes: await exportVetoes(ports, id, user),
    joinLinks: await exportJoinLinks(ports, id, user),
    sentInvitations: await exportSentInvitations({ ...ports, mailed: mailedInvitations }, id, user),
    mediaLinks: await exportMediaLinks(ports, id, user),
    mediaServers: await exportMediaServers(ports, id, user),
    requestServers: await exportRequestServers(ports, id, user),
    movieRequests: await exportMovieRequests({ ...ports, cards: { onlyInFeed } }, id, user),
    webhooks: await exportWebhooks(ports, id, user),
  }
  for (const [name, items] of Object.entries(lists)) {
    const { element } = ExportedWatchlist.shape[name as ListName]
    yield* listText(name, items, element)
  }
  yield '}'
}

/** A list as the next field of an object. */
async function* listText(name: string, items: Items, element: z.ZodType): AsyncGenerator<string> {
  yield `,"${name}":[`
  let separator = ''
  for await (const item of items) {
    yield separator + JSON.stringify(element.parse(item))
    separator = ','
  }
  yield ']'
}

type ListName = Exclude<keyof DataExport['watchlists'][number], keyof Watchlist>
type Items = Iterable<unknown> | AsyncIterable<unknown>
