import { type Endpoint, ENDPOINTS } from '@marquee/contract/endpoints'
import type { MediaServer } from '@marquee/contract/entities/media-server'

import type { Chance } from './chance.ts'
import { EMPTY_URL, HOME_ID } from './home-server.ts'

/** A film of the media server at home, and its card. */
type FilmCard = { readonly cardId: string; readonly tmdbId: string }

/** A request about media servers, or a report of one of them. */
export type MediaRequest =
  | { kind: 'connect' }
  | { kind: 'disconnect' | 'unlink'; serverId: string }
  | { kind: 'link'; serverId: string; name: string }
  | { kind: 'report'; serverId: string; secret: string; name: string; film: FilmCard }
  | { kind: 'mark'; cardId: string; stars: number }
  | { kind: 'unmark'; cardId: string }
export type MediaKind = MediaRequest['kind']
export type CallPlace = Pick<Endpoint, 'method' | 'path' | 'takesKey'>

export const MEDIA_CALLS: Record<MediaKind, CallPlace> = {
  connect: ENDPOINTS.connectMediaServer,
  disconnect: ENDPOINTS.deleteMediaServer,
  link: ENDPOINTS.linkWithPassword,
  unlink: ENDPOINTS.unlinkMediaUser,
  // Media servers send it, without a sign-in.
  report: { method: 'POST', path: '/media-reports/:watchlistId/:serverId/:secret' },
  mark: ENDPOINTS.saveViewing,
  unmark: ENDPOINTS.deleteViewing,
}

export const MEDIA: Record<MediaKind, number> = {
  connect: 4,
  disconnect: 3,
  link: 4,
  unlink: 2,
  report: 8,
  mark: 8,
  unmark: 8,
}

/** A server at home whose films have cards, and the server that was connected last. */
export type MediaKnowledge = {
  readonly serverId: string
  readonly secret: string
  readonly films: readonly FilmCard[]
  connectedId?: string
}

const NO_FILM: FilmCard = { cardId: 'none', tmdbId: '1' }
const AN_HOUR_IN_TICKS = 36_000_000_000

export function isOfMedia<T extends { kind: string }>(request: T): request is Extract<T, MediaRequest> {
  return Object.hasOwn(MEDIA, request.kind)
}

export function bodyOfMedia(request: MediaRequest): { body?: object } {
  switch (request.kind) {
    case 'connect':
      return { body: { kind: 'jellyfin', url: EMPTY_URL, token: 'key', openUrl: EMPTY_URL } }
    case 'link':
      return { body: { name: request.name, password: 'password' } }
    case 'mark':
      return { body: { stars: request.stars } }
    case 'report':
      return {
        body: {
          Event: 'item.markplayed',
          Server: { Id: HOME_ID },
          User: { Id: request.name },
          Item: {
            Id: request.film.tmdbId,
            Name: 'A film',
            Type: 'Movie',
            ProviderIds: { Tmdb: request.film.tmdbId },
            RunTimeTicks: AN_HOUR_IN_TICKS,
          },
        },
      }
    case 'disconnect':
    case 'unlink':
    case 'unmark':
      return {}
  }
}

export function learnOfMedia(known: MediaKnowledge, request: MediaRequest, body: unknown): void {
  if (request.kind === 'connect') known.connectedId = (body as MediaServer).serverId
}

/** Draws the details of a request about media servers. */
export function mediaRequest(
  chance: Chance,
  { kind, username }: { kind: MediaKind; username: string },
  { serverId, secret, films, connectedId = 'none' }: MediaKnowledge,
): MediaRequest {
  const film = chance.pick(films) ?? NO_FILM
  switch (kind) {
    case 'connect':
      return { kind }
    case 'disconnect':
      return { kind, serverId: connectedId }
    case 'link':
      return { kind, serverId, name: username }
    case 'unlink':
      return { kind, serverId }
    case 'report':
      return { kind, serverId, secret, name: username, film }
    case 'mark':
      return { kind, cardId: film.cardId, stars: 1 + chance.below(5) }
    case 'unmark':
      return { kind, cardId: film.cardId }
  }
}
