import type { CardsPage } from '@marquee/contract/entities/card'
import { EMBEDDED_COMMENTS } from '@marquee/contract/limits'

import type { Change, HeldTable, Row, Table } from './change-log.ts'
import type { Answer } from './clients.ts'
import type { EveningRequest } from './evening-requests.ts'
import { isOfEvening, type Person, type Request } from './requests.ts'

const KEYS = {
  watchlist: ['id'],
  member: ['user_id'],
  person_watchlist: ['user_id'],
  card: ['id'],
  status_change: ['card_id', 'seq'],
  comment: ['id'],
  invitation: ['user_id'],
  person_invitation: ['user_id'],
} as const satisfies Record<HeldTable, readonly string[]>

const MOST_CARDS_ON_A_PAGE = 50

/** A watchlist at one moment of its history, and which replies are right at that moment. */
export type State = {
  apply: (change: Change) => void
  /** Whether a reply that changes nothing is right now: a rejection, or the result of a read. */
  explains: (by: Person, request: Request, answer: Answer) => boolean
}

export function createState(): State {
  const tables = Object.fromEntries(Object.keys(KEYS).map((table) => [table, new Map()])) as Record<
    HeldTable,
    Map<string, Row>
  >

  const rows = (table: HeldTable): Row[] => [...tables[table].values()]
  const isMember = (userId: string): boolean => tables.member.has(userId)
  const isOwner = ({ userId }: Person): boolean => rows('watchlist')[0]?.['owner_id'] === userId
  const memberOfName = (username: string): Row | undefined => rows('member').find((row) => row['username'] === username)
  const inFeed = (cardId: string): Row | undefined => {
    const card = tables.card.get(cardId)
    return card?.['status'] === 'SUGGESTED' ? undefined : card
  }
  const boxCount = (): number => rows('card').filter((card) => card['status'] === 'SUGGESTED').length

  /** The status with which a member is rejected; undefined if there is no reason. */
  function reasonToRefuse(by: Person, request: Exclude<Request, EveningRequest>): number | undefined {
    switch (request.kind) {
      case 'reveal':
        return boxCount() === 0 ? 404 : undefined
      case 'move':
        if (!inFeed(request.cardId)) return 404
        return inFeed(request.cardId)?.['status'] === 'REVEALED' ? undefined : 400
      case 'edit':
      case 'delete': {
        const card = tables.card.get(request.cardId)
        const isCreator = card?.['creator_id'] === by.userId
        if (!card || (card['status'] === 'SUGGESTED' && !isCreator)) return 404
        return isCreator || isOwner(by) ? undefined : 403
      }
      case 'comment':
        return inFeed(request.cardId) ? undefined : 404
      case 'edit-comment':
      case 'delete-comment': {
        const comment = tables.comment.get(request.commentId)
        if (!inFeed(request.cardId) || comment?.['card_id'] !== request.cardId) return 404
        return comment['author_id'] === by.userId ? undefined : 403
      }
      case 'invite':
        return memberOfName(request.username) ? 400 : undefined
      case 'withdraw':
        return rows('invitation').some((row) => row['username'] === request.username) ? undefined : 404
      case 'remove':
        if (request.username !== by.username && !isOwner(by)) return 403
        if (!memberOfName(request.username)) return 404
        return memberOfName(request.username)?.['user_id'] === rows('watchlist')[0]?.['owner_id'] ? 400 : undefined
      case 'add':
      case 'create':
      case 'accept':
      case 'decline':
      case 'read':
      case 'count':
        return undefined
    }
  }

  function isRightRefusal(by: Person, request: Request, status: number): boolean {
    // What a refused request of an evening leaves is compared with what it asked for.
    if (isOfEvening(request)) return status < 500
    if (request.kind === 'create' || request.kind === 'read') return false
    if (request.kind === 'accept') {
      const invitation = tables.person_invitation.get(by.userId)
      return status === 404 && (!invitation || (invitation['accepted_at'] !== null && !isMember(by.userId)))
    }
    if (request.kind === 'decline') return status === 404 && !tables.invitation.has(by.userId)
    return isMember(by.userId) ? status === reasonToRefuse(by, request) : status === 403
  }

  /** The compared part of the first page of the feed. */
  function feed(): unknown[] {
    const later = (one: Row, other: Row) => (sortKey(one) < sortKey(other) ? 1 : -1)
    const comments = rows('comment').toSorted((one, other) => (String(one['id']) < String(other['id']) ? 1 : -1))
    return rows('card')
      .filter((card) => card['status'] !== 'SUGGESTED')
      .toSorted(later)
      .slice(0, MOST_CARDS_ON_A_PAGE)
      .map((card) => [
        card['id'],
        card['title'],
        card['status'],
        card['status_change_count'],
        comments
          .filter((comment) => comment['card_id'] === card['id'])
          .slice(0, EMBEDDED_COMMENTS)
          .map((comment) => comment['content']),
      ])
  }

  return {
    apply: ({ table, was, is }) => {
      if (!isHeld(table)) return
      const keyOf = (row: Row) => KEYS[table].map((column) => row[column]).join(' ')
      if (was) tables[table].delete(keyOf(was))
      if (is) tables[table].set(keyOf(is), is)
    },
    explains: (by, request, { status, body }) => {
      if (status >= 400) return isRightRefusal(by, request, status)
      if (request.kind === 'accept') return isMember(by.userId)
      if (request.kind === 'count') return (body as { count: number }).count === boxCount()
      if (request.kind !== 'read') return true
      const page = (body as CardsPage).cards.map((card) => [
        card.id,
        card.title,
        card.status,
        card.statusChanges.length,
        card.lastComments.map(({ content }) => content),
      ])
      return JSON.stringify(page) === JSON.stringify(feed())
    },
  }
}

function isHeld(table: Table): table is HeldTable {
  return Object.hasOwn(KEYS, table)
}

function sortKey(card: Row): string {
  return `${card['status_changed_at']} ${card['id']}`
}
