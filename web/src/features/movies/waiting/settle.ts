import type { Card } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'
import type { CardViewings } from '@marquee/contract/entities/viewing'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { QueryClient } from '@tanstack/react-query'

import type { Action } from '#web/offline/outbox/actions.ts'

import { withChanged, withComment } from '../comment-list.ts'
import { changeComments } from '../comment-queries.ts'
import { feedCache } from '../feed-cache.ts'
import { cardKeys } from '../queries.ts'

/** Shows what the server answered to something that has waited, if it was about a movie. */
export function settleMovie(client: QueryClient, action: Action, reply: unknown): void {
  switch (action.kind) {
    case 'comment':
      return changeComments(client, action, withComment(reply as Comment))
    case 'edit':
      return changeComments(client, action, withChanged(reply as Comment))
    case 'viewing':
      client.setQueryData(cardKeys.viewings(action.watchlistId, action.cardId), reply as CardViewings)
      return undefined
    case 'move':
    case 'movie':
      return settleCard(client, action.watchlistId, reply as Card)
    case 'answer':
      return undefined
  }
}

function settleCard(client: QueryClient, watchlistId: string, card: Card): void {
  const feed = feedCache(client, watchlistId)
  if (isInTheBox(card.status)) feed.remove(card.id)
  else feed.putOnTop(feed.receive(card))
  void feed.reload()
}
