import type { DataExport } from '@marquee/contract/entities/account'

import { listReceivedInvitations } from '../invitations/service.ts'
import type { User } from '../profiles/service.ts'
import { listWatchlists, type WatchlistPorts } from '../watchlists/service.ts'
import type { AccountPorts } from './service.ts'
import { listOwnCards, listOwnComments } from './store.ts'

export type ExportPorts = Pick<WatchlistPorts, 'database' | 'clock' | 'images'> & {
  account: AccountPorts
  ownProfile: (user: User) => Promise<DataExport['profile']>
}

/** Everything that is kept of a person, in the identity service and in the product. */
export async function exportData(ports: ExportPorts, user: User): Promise<DataExport> {
  const { username, avatarUrl, currentWatchlistId } = await ports.ownProfile(user)
  const watchlists = []
  for (const watchlist of await listWatchlists(ports, user)) {
    watchlists.push({ ...watchlist, ...(await ownParts(ports, watchlist.id, user)) })
  }
  return {
    exportedAt: ports.clock.now().toISOString(),
    account: (await ports.account.exportData(user.userId)) ?? null,
    profile: { username, avatarUrl, currentWatchlistId },
    invitations: await listReceivedInvitations(ports, user),
    watchlists,
  }
}

async function ownParts(
  { database: { read: db }, images }: Pick<ExportPorts, 'database' | 'images'>,
  watchlistId: string,
  { userId }: User,
): Promise<Pick<DataExport['watchlists'][number], 'cards' | 'comments'>> {
  const cards = await listOwnCards(db, watchlistId, userId)
  const comments = await listOwnComments(db, watchlistId, userId)
  return {
    cards: cards.map((card) => ({
      cardId: card.id,
      title: card.title,
      description: card.description,
      imageUrl: card.image_url ?? images.urlOf(card.image_hash ?? ''),
      status: card.status,
      createdAt: card.created_at,
      updatedAt: card.updated_at,
    })),
    comments: comments.map((comment) => ({
      commentId: comment.id,
      cardId: comment.card_id,
      content: comment.content,
      createdAt: comment.created_at,
      updatedAt: comment.updated_at,
    })),
  }
}
