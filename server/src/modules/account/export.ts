import type { DataExport } from '@marquee/contract/entities/account'
import type { Caller } from '@marquee/platform/http/caller'

import { exportCards, exportWants, onlyInFeed } from '../cards/service.ts'
import { exportComments } from '../comments/service.ts'
import { listReceivedInvitations } from '../invitations/service.ts'
import { exportBallots, exportNights, exportVetoes } from '../nights/service.ts'
import { exportJoinLinks } from '../join-links/service.ts'
import { listPersonalTokens } from '../personal-tokens/service.ts'
import { exportNotifications, getSettings } from '../notifications/service.ts'
import { exportPushDevices } from '../push/service.ts'
import type { User } from '../profiles/service.ts'
import type { ImageAddresses } from '../images/service.ts'
import { exportViewings } from '../viewings/service.ts'
import { listWatchlists, type WatchlistPorts } from '../watchlists/service.ts'
import type { AccountPorts } from './service.ts'

export type ExportPorts = Pick<WatchlistPorts, 'database' | 'clock'> & {
  readonly images: ImageAddresses
  account: AccountPorts
  ownProfile: (user: User) => Promise<DataExport['profile']>
}

/** All data of a user, in the identity service and in the product. */
export async function exportData(ports: ExportPorts, user: User, caller: Caller): Promise<DataExport> {
  const { username, avatarUrl, currentWatchlistId, language } = await ports.ownProfile(user)
  const watchlists = []
  for (const watchlist of await listWatchlists(ports, user)) {
    const cards = await exportCards(ports, watchlist.id, user)
    const comments = await exportComments(ports, watchlist.id, user)
    const wants = await exportWants(ports, watchlist.id, user)
    const viewings = await exportViewings({ ...ports, cards: { onlyInFeed } }, watchlist.id, user)
    const nights = await exportNights(ports, watchlist.id, user)
    const ballots = await exportBallots(ports, watchlist.id, user)
    const vetoes = await exportVetoes(ports, watchlist.id, user)
    const joinLinks = await exportJoinLinks(ports, watchlist.id, user)
    watchlists.push({ ...watchlist, cards, comments, wants, viewings, nights, ballots, vetoes, joinLinks })
  }
  return {
    exportedAt: ports.clock.now().toISOString(),
    account: (await ports.account.exportData(user.userId, caller)) ?? null,
    profile: { username, avatarUrl, currentWatchlistId, ...(language && { language }) },
    invitations: await listReceivedInvitations(ports, user),
    personalTokens: await listPersonalTokens(ports, user),
    notifications: await exportNotifications(ports, user),
    pushDevices: await exportPushDevices(ports, user),
    notificationSettings: await getSettings(ports, user),
    watchlists,
  }
}
