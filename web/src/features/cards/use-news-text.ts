import { canUndo, MOVE_TARGETS } from '@marquee/contract/rules/card-moves'
import { useTranslation } from 'react-i18next'

import type { CardNews } from './use-live-cards.ts'

/** A sentence for screen readers about what another user did, if it is worth one. */
export function useNewsText(): (news: CardNews) => string | undefined {
  const { t } = useTranslation('moviecard')
  return (news) => {
    const user = news.by
    switch (news.kind) {
      case 'revealed':
        return t('live.revealed', { user, title: news.card.title })
      case 'put-back':
        return t('live.moved.SUGGESTED', { user, title: news.before.title })
      case 'deleted':
        return t('live.deleted', { user, title: news.before.title })
      case 'changed': {
        const { before, card } = news
        const { title } = card
        const target = MOVE_TARGETS.find((status) => status === card.status)
        if (target !== undefined && before.status !== card.status) return t(`live.moved.${target}`, { user, title })
        if (canUndo(before.status) && card.status === 'REVEALED') return t('live.undone', { user, title })
        return news.hasNewComment ? t('live.commented', { user, title }) : undefined
      }
    }
  }
}
