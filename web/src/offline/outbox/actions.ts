import type { BodyInput, Reply } from '@marquee/contract/endpoints'
import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { COMMENT_ENDPOINTS } from '@marquee/contract/endpoints/comments'
import { NIGHT_ENDPOINTS } from '@marquee/contract/endpoints/nights'
import { VIEWING_ENDPOINTS } from '@marquee/contract/endpoints/viewings'
import type { NightAnswer } from '@marquee/contract/entities/night'
import type { MoveTarget } from '@marquee/contract/rules/card-moves'

import { call } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'

type OnCard = { watchlistId: string; cardId: string }
type MovieBody = BodyInput<typeof CARD_ENDPOINTS.addCard>

/** What is taken and kept without a connection. A value may be older than this version of the app. */
export type Action =
  | (OnCard & { kind: 'comment'; content: string })
  | (OnCard & { kind: 'edit'; commentId: string; content: string })
  /**
   * `nightId` is the night at which the card was accepted, or null if none was open. It may be over when the action is sent, and
   * another may be open.
   */
  | (OnCard & { kind: 'move'; status: MoveTarget; nightId?: string | null | undefined })
  | (OnCard & { kind: 'viewing'; body: BodyInput<typeof VIEWING_ENDPOINTS.saveViewing> })
  /** While it waits, `picture` is the image of the body. */
  | { kind: 'movie'; watchlistId: string; body: MovieBody; picture?: Blob | undefined }
  | { kind: 'answer'; watchlistId: string; nightId: string; startsAt: string; answer: NightAnswer }

export type ActionKind = Action['kind']
export type ActionOf<K extends ActionKind> = Extract<Action, { kind: K }>

export type ReplyTo = {
  comment: Reply<typeof COMMENT_ENDPOINTS.addComment>
  edit: Reply<typeof COMMENT_ENDPOINTS.editComment>
  move: Reply<typeof CARD_ENDPOINTS.moveCard>
  viewing: Reply<typeof VIEWING_ENDPOINTS.saveViewing>
  movie: Reply<typeof CARD_ENDPOINTS.addCard>
  answer: Reply<typeof NIGHT_ENDPOINTS.answerNight>
}

export type Sending = {
  idempotencyKey: string
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
  /** It was kept before, and is tried once. */
  hasWaited?: boolean
  accepts?: (token: string | undefined) => boolean
}

const KINDS: Record<ActionKind, true> = {
  comment: true,
  edit: true,
  move: true,
  viewing: true,
  movie: true,
  answer: true,
}

/** Whether this version of the app can send it. */
export function isKnown({ kind }: Action): boolean {
  return Object.hasOwn(KINDS, kind)
}

/** Sends an action. Each of these calls takes a key, so a repeat with the same one takes effect once. */
export async function sendAction<K extends ActionKind>(action: ActionOf<K>, how: Sending): Promise<ReplyTo[K]> {
  return (await send(action, how)) as ReplyTo[K]
}

async function send(action: Action, { hasWaited, ...sending }: Sending): Promise<unknown> {
  const { watchlistId } = action
  const how = { ...sending, once: hasWaited }
  switch (action.kind) {
    case 'comment': {
      const { cardId, content } = action
      return call(COMMENT_ENDPOINTS.addComment, { params: { watchlistId, cardId }, body: { content }, ...how })
    }
    case 'edit': {
      const { cardId, commentId, content } = action
      return call(COMMENT_ENDPOINTS.editComment, {
        params: { watchlistId, cardId, commentId },
        body: { content },
        ...how,
      })
    }
    case 'move': {
      const { cardId, status } = action
      // A night may have begun a moment ago: then the server knows it before this device does.
      const nightId = action.nightId ?? (hasWaited === true ? action.nightId : undefined)
      return call(CARD_ENDPOINTS.moveCard, { params: { watchlistId, cardId }, body: { status, nightId }, ...how })
    }
    case 'viewing':
      return call(VIEWING_ENDPOINTS.saveViewing, {
        params: { watchlistId, cardId: action.cardId },
        body: action.body,
        ...how,
      })
    case 'movie':
      return call(CARD_ENDPOINTS.addCard, { params: { watchlistId }, body: action.body, ...how })
    case 'answer': {
      const { nightId, startsAt, answer } = action
      return call(NIGHT_ENDPOINTS.answerNight, { params: { nightId }, body: { startsAt, answer }, ...how })
    }
  }
}
