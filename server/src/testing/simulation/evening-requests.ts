import { hash } from 'node:crypto'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { type Night, NIGHT_ANSWERS, type NightAnswer } from '@marquee/contract/entities/night'
import type { NightVoteState } from '@marquee/contract/entities/vote'
import { SCORES, SHORTLIST_SIZES } from '@marquee/contract/entities/vote'

import type { Chance } from './chance.ts'
import {
  bodyOfMedia,
  type CallPlace,
  isOfMedia,
  learnOfMedia,
  MEDIA,
  MEDIA_CALLS,
  type MediaKind,
  type MediaKnowledge,
  type MediaRequest,
  mediaRequest,
} from './media-requests.ts'

type Vote = { nightId: string; drawNumber: number; cardIds: readonly string[] }

/** A request about draws, movie nights, votes, viewings, imports or media servers. Texts are unique. */
export type EveningRequest =
  | { kind: 'prepare'; picks: number; nightId: string | undefined }
  | { kind: 'close-hashes'; drawNumber: number }
  | { kind: 'reveal-draw'; drawNumber: number }
  | { kind: 'plan'; place: string }
  | { kind: 'answer'; nightId: string; answer: NightAnswer }
  | { kind: 'open-night' }
  | { kind: 'start' | 'cancel' | 'arrive' | 'leave' | 'end'; nightId: string }
  | { kind: 'add-guest'; nightId: string; nickname: string }
  | { kind: 'open-vote'; nightId: string; drawNumber: number }
  | ({ kind: 'ballot'; scores: readonly number[]; vetoed: string | null } & Vote)
  | { kind: 'close-vote'; nightId: string; drawNumber: number }
  | { kind: 'veto'; nightId: string; cardId: string }
  | { kind: 'set-vetoes'; vetoBudget: number }
  | { kind: 'want'; title: string }
  | { kind: 'see'; cardId: string; stars: number }
  | { kind: 'unsee'; cardId: string }
  | { kind: 'ask'; cardId: string }
  | { kind: 'undo'; cardId: string }
  | { kind: 'import'; text: string }
  | { kind: 'apply' | 'undo-import'; importId: string }
  | MediaRequest
export type EveningKind = EveningRequest['kind']

export const EVENING_CALLS: Record<EveningKind, CallPlace> = {
  prepare: ENDPOINTS.prepareDraw,
  'close-hashes': ENDPOINTS.closeSeedHashes,
  'reveal-draw': ENDPOINTS.revealDraw,
  plan: ENDPOINTS.planNight,
  answer: ENDPOINTS.answerNight,
  'open-night': ENDPOINTS.openNight,
  start: ENDPOINTS.startNight,
  cancel: ENDPOINTS.cancelNight,
  arrive: ENDPOINTS.arriveAtNight,
  leave: ENDPOINTS.leaveNight,
  end: ENDPOINTS.endNight,
  'add-guest': ENDPOINTS.addGuest,
  'open-vote': ENDPOINTS.openVote,
  ballot: ENDPOINTS.castBallot,
  'close-vote': ENDPOINTS.closeVote,
  veto: ENDPOINTS.vetoCard,
  'set-vetoes': ENDPOINTS.setVetoBudget,
  want: ENDPOINTS.wantMovie,
  see: ENDPOINTS.saveViewing,
  unsee: ENDPOINTS.deleteViewing,
  ask: ENDPOINTS.askForMovie,
  undo: ENDPOINTS.undoMove,
  import: ENDPOINTS.beginImport,
  apply: ENDPOINTS.applyImport,
  'undo-import': ENDPOINTS.undoImport,
  ...MEDIA_CALLS,
}

/** In the evening most is drawn and voted. */
export const EVENING: Record<EveningKind, number> = {
  prepare: 14,
  'close-hashes': 2,
  'reveal-draw': 4,
  plan: 2,
  answer: 1,
  'open-night': 2,
  start: 1,
  cancel: 1,
  arrive: 5,
  leave: 1,
  end: 1,
  'add-guest': 3,
  'open-vote': 16,
  ballot: 24,
  'close-vote': 5,
  veto: 10,
  'set-vetoes': 4,
  want: 1,
  see: 1,
  unsee: 1,
  ask: 12,
  undo: 6,
  import: 5,
  apply: 8,
  'undo-import': 6,
  ...MEDIA,
}

/** Movies of one imported file. */
const IMPORTED = 3
const PLANNED_FOR = '2026-03-01T20:00'

export function bodyOfEvening(request: EveningRequest): { body?: object } {
  if (isOfMedia(request)) return bodyOfMedia(request)
  switch (request.kind) {
    case 'prepare':
      return { body: { picks: request.picks, ...(request.nightId !== undefined && { nightId: request.nightId }) } }
    case 'close-hashes':
      return { body: { hashes: [hash('sha256', Buffer.from(seedOf(request.drawNumber), 'hex'))] } }
    case 'reveal-draw':
      return { body: { seeds: [seedOf(request.drawNumber)] } }
    case 'open-vote':
      return { body: { drawNumber: request.drawNumber, seeds: [seedOf(request.drawNumber)] } }
    case 'close-vote':
      return { body: { drawNumber: request.drawNumber } }
    case 'ballot': {
      const scores = Object.fromEntries(request.cardIds.map((cardId, n) => [cardId, request.scores[n] ?? 0]))
      return { body: { drawNumber: request.drawNumber, scores, veto: request.vetoed } }
    }
    case 'veto':
      return { body: { cardId: request.cardId } }
    case 'set-vetoes':
      return { body: { vetoBudget: request.vetoBudget } }
    case 'plan':
      return { body: { times: [PLANNED_FOR], timeZone: 'UTC', place: request.place } }
    case 'answer':
      return { body: { startsAt: new Date(`${PLANNED_FOR}Z`).toISOString(), answer: request.answer } }
    case 'add-guest':
      return { body: { nickname: request.nickname } }
    case 'want':
      return { body: { title: request.title } }
    case 'see':
      return { body: { stars: request.stars } }
    case 'import':
      return { body: { fileName: `${request.text}.csv`, fileData: fileOf(request.text).toString('base64') } }
    case 'apply':
    case 'arrive':
    case 'ask':
    case 'cancel':
    case 'end':
    case 'leave':
    case 'open-night':
    case 'start':
    case 'undo':
    case 'undo-import':
    case 'unsee':
      return {}
  }
}

/** The titles of the movies of an imported file. */
export function importedTitles(text: string): string[] {
  return Array.from({ length: IMPORTED }, (_, n) => `${text} part ${n + 1}`)
}

function fileOf(text: string): Buffer {
  return Buffer.from(['Title', ...importedTitles(text)].join('\n'))
}

/** Each draw has one device. */
function seedOf(drawNumber: number): string {
  return String(drawNumber).padStart(64, '0')
}

/** What the users have seen of draws, movie nights, votes and imports. */
export type EveningKnowledge = {
  drawNumbers: number[]
  /** Prepared draws that fit a vote. */
  shortlists: number[]
  nightIds: string[]
  openNightId: string | undefined
  votes: Vote[]
  /** Imports, and cards that were accepted or declined: only the same user can undo them. */
  imports: Own[]
  decided: Own[]
  /** Guests of the open night, who vote as members do. */
  guests: Guest[]
  media: MediaKnowledge
}
type Guest = { userId: string; username: string; token: string }
type Own = { id: string; username: string }

export function emptyEvening({
  openNightId,
  media = { serverId: 'none', secret: 'none', films: [] },
}: {
  openNightId?: string
  media?: MediaKnowledge
}): EveningKnowledge {
  const decided = { imports: [], decided: [] }
  return { drawNumbers: [], shortlists: [], nightIds: [], openNightId, votes: [], ...decided, guests: [], media }
}

export function learnOfEvening(
  known: EveningKnowledge,
  request: EveningRequest,
  { body, username }: { body: unknown; username: string },
): void {
  if (isOfMedia(request)) {
    learnOfMedia(known.media, request, body)
    return
  }
  switch (request.kind) {
    case 'prepare': {
      const { drawNumber } = body as { drawNumber: number }
      known.drawNumbers.push(drawNumber)
      if (request.picks > 1) known.shortlists.push(drawNumber)
      return
    }
    case 'plan':
      known.nightIds.push((body as Night).id)
      return
    case 'open-night':
    case 'start':
      known.openNightId = (body as Night).id
      return
    case 'end':
      if (known.openNightId === request.nightId) known.openNightId = undefined
      return
    case 'open-vote': {
      const { vote } = body as NightVoteState
      if (vote) {
        const cardIds = vote.cards.map(({ cardId }) => cardId)
        known.votes.push({ nightId: request.nightId, drawNumber: vote.drawNumber, cardIds })
      }
      return
    }
    case 'import':
      known.imports.push({ id: (body as { id: string }).id, username })
      return
    case 'add-guest': {
      const { token, guest } = body as { token: string; guest: { guestId: string } }
      known.guests.push({ userId: guest.guestId, username: request.nickname, token })
      return
    }
    case 'answer':
    case 'apply':
    case 'arrive':
    case 'ask':
    case 'ballot':
    case 'cancel':
    case 'close-hashes':
    case 'close-vote':
    case 'leave':
    case 'reveal-draw':
    case 'see':
    case 'set-vetoes':
    case 'undo':
    case 'undo-import':
    case 'unsee':
    case 'veto':
    case 'want':
  }
}

/** The kind of request that has to come first: what the user knows has nothing yet that this kind could be about. */
export function firstStepTo(kind: EveningKind, username: string, known: EveningKnowledge): EveningKind {
  const isOfImport = kind === 'apply' || kind === 'undo-import'
  if (isOfImport) return known.imports.some((own) => own.username === username) ? kind : 'import'
  const isOfVote = kind === 'ballot' || kind === 'close-vote'
  if (kind !== 'open-vote' && !(isOfVote && known.votes.length === 0)) return kind
  return known.shortlists.length === 0 ? 'prepare' : 'open-vote'
}

/** Draws the details of a request about an evening. */
export function eveningRequest(
  chance: Chance,
  { kind, text, cardId, username }: { kind: EveningKind; text: string; cardId: string; username: string },
  known: EveningKnowledge,
): EveningRequest {
  if (isMediaKind(kind)) return mediaRequest(chance, { kind, username }, known.media)
  const last = <T>(from: readonly T[]): T | undefined => chance.pick(from.slice(-2))
  const own = (from: readonly Own[]) => last(from.filter((each) => each.username === username))?.id
  const missing = 'none_00000000-0000-4000-8000-000000000000'
  const nightId = known.openNightId ?? last(known.nightIds) ?? missing
  switch (kind) {
    case 'prepare': {
      const picks = chance.isOneIn(3) ? 1 : (chance.pick(SHORTLIST_SIZES) ?? 3)
      return { kind, picks, nightId: chance.isOneIn(2) ? known.openNightId : undefined }
    }
    case 'close-hashes':
    case 'reveal-draw':
      return { kind, drawNumber: last(known.drawNumbers) ?? 1 }
    case 'open-vote':
      return { kind, nightId, drawNumber: last(known.shortlists) ?? 1 }
    case 'ballot': {
      const vote = known.votes.at(-1) ?? { nightId, drawNumber: 1, cardIds: [] }
      const scores = vote.cardIds.map(() => chance.pick(SCORES) ?? 0)
      return { kind, ...vote, scores, vetoed: chance.isOneIn(4) ? (chance.pick(vote.cardIds) ?? null) : null }
    }
    case 'close-vote':
      return { kind, nightId, drawNumber: known.votes.at(-1)?.drawNumber ?? 1 }
    case 'veto':
      return { kind, nightId, cardId }
    case 'set-vetoes':
      return { kind, vetoBudget: chance.below(3) }
    case 'plan':
      return { kind, place: text }
    case 'answer':
      return { kind, nightId: last(known.nightIds) ?? missing, answer: chance.pick(NIGHT_ANSWERS) ?? 'in' }
    case 'start':
    case 'cancel':
      return { kind, nightId: last(known.nightIds) ?? missing }
    case 'arrive':
    case 'leave':
    case 'end':
      return { kind, nightId }
    case 'add-guest':
      return { kind, nightId, nickname: text }
    case 'want':
      return { kind, title: text }
    case 'see':
      return { kind, cardId, stars: 1 + chance.below(5) }
    case 'unsee':
    case 'ask':
      return { kind, cardId }
    case 'undo':
      return { kind, cardId: own(known.decided) ?? cardId }
    case 'import':
      return { kind, text }
    case 'apply':
    case 'undo-import':
      return { kind, importId: own(known.imports) ?? 'none' }
    case 'open-night':
      return { kind }
  }
}

function isMediaKind(kind: EveningKind): kind is MediaKind {
  return Object.hasOwn(MEDIA, kind)
}
