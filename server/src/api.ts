import type { FastifyInstance } from 'fastify'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eventStreamsOn } from '@marquee/platform/http/event-stream'
import { acceptOnlyJson } from '@marquee/platform/http/json-bodies'
import { handlersOf, mountAll, routesOn } from '@marquee/platform/http/mount'
import { refuseOtherMethods } from '@marquee/platform/http/other-methods'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'

import { authenticateBy, refuseByScope } from './authenticate.ts'
import { accountElsewhere, accountHandlers } from './rooms/club/account/routes.ts'
import { requireFreshSignIn, requireRecentSignIn } from './rooms/club/account/service.ts'
import { availabilityHandlers } from './rooms/movies/availability/routes.ts'
import type { AvailabilityOf, WatchOptions } from './rooms/movies/availability/service.ts'
import { cardHandlers } from './rooms/movies/cards/routes.ts'
import { type CardPorts, findFeedMovies, findInFeed, onlyInFeed } from './rooms/movies/cards/service.ts'
import { catalogueHandlers } from './rooms/movies/catalogue/routes.ts'
import { mediaLinkHandlers } from './rooms/movies/media-links/routes.ts'
import { type MediaLinkPorts, serverMarks } from './rooms/movies/media-links/service.ts'
import { mediaServerHandlers } from './rooms/movies/media-servers/routes.ts'
import { movieRequestHandlers } from './rooms/movies/movie-requests/routes.ts'
import type { MovieRequestPorts } from './rooms/movies/movie-requests/service.ts'
import type { Catalogue } from './rooms/movies/catalogue/service.ts'
import { commentHandlers } from './rooms/movies/comments/routes.ts'
import { drawHandlers } from './rooms/draws/routes.ts'
import { exportHandlers } from './rooms/movies/exports/routes.ts'
import { imageUrlHandlers } from './rooms/movies/images/routes.ts'
import type { CheckImageUrl } from './rooms/movies/images/url-check.ts'
import { importHandlers } from './rooms/movies/imports/routes.ts'
import type { ImportPorts } from './rooms/movies/imports/service.ts'
import { invitationHandlers } from './rooms/club/invitations/routes.ts'
import type { MailInvitationPorts } from './rooms/club/join-links/mail-invitations.ts'
import { joinLinkHandlers } from './rooms/club/join-links/routes.ts'
import { mailedInvitations } from './rooms/club/join-links/service.ts'
import type { Listener } from './rooms/news/live/follower.ts'
import { liveHandlers } from './rooms/news/live/routes.ts'
import type { Live } from './rooms/news/live/service.ts'
import { guestHandlers, playHandlers, screenHandlers } from './rooms/nights/nights/passes/guest-routes.ts'
import { nightHandlers } from './rooms/nights/nights/routes.ts'
import { attendance, drawNights, type GuestPorts, type NightPorts } from './rooms/nights/nights/service.ts'
import { personalTokenHandlers } from './rooms/club/personal-tokens/routes.ts'
import type { PersonalTokenPorts } from './rooms/club/personal-tokens/service.ts'
import type { NotificationPorts } from './rooms/news/notifications/list.ts'
import { notificationHandlers } from './rooms/news/notifications/routes.ts'
import { pushHandlers } from './rooms/news/push/routes.ts'
import type { PushPorts } from './rooms/news/push/service.ts'
import { getOwnProfile, type ProfilePorts } from './rooms/club/profiles/service.ts'
import type { User } from './rooms/club/people/service.ts'
import { PROFILE_OF_AVATAR, profileHandlers, profileOfAvatarRoute } from './rooms/club/profiles/routes.ts'
import { setupHandlers } from './rooms/club/setup/routes.ts'
import type { SetupPorts } from './rooms/club/setup/service.ts'
import { viewingHandlers } from './rooms/movies/viewings/routes.ts'
import type { UploadPorts } from './rooms/club/watchlists/image.ts'
import { statisticsHandlers } from './rooms/nights/statistics/routes.ts'
import type { RemovalOfWatchlists } from './rooms/club/watchlists/ownership.ts'
import { watchlistHandlers } from './rooms/club/watchlists/routes.ts'
import { webhookHandlers } from './rooms/news/webhooks/routes.ts'
import type { WebhookPorts } from './rooms/news/webhooks/service.ts'
import { openApiRoutes } from './openapi/routes.ts'
import type { Parser } from './parsing/parser.ts'
import { LEAVING } from './leaving.ts'
import { ownData } from './own-data.ts'
import type { Accounts } from './ports.ts'
import { problemFor } from './openapi/problem-replies.ts'
import { limitBy } from './rate-limits.ts'

type ApiPorts = CardPorts &
  UploadPorts &
  ImportPorts &
  MailInvitationPorts &
  NightPorts &
  GuestPorts &
  Omit<PersonalTokenPorts, 'recordChange'> &
  WebhookPorts &
  MediaLinkPorts &
  WatchOptions &
  Omit<MovieRequestPorts, 'cards'> &
  PushPorts &
  NotificationPorts &
  SetupPorts &
  ProfilePorts &
  RemovalOfWatchlists & {
    accounts: Accounts
    allowGuests: boolean
    availability: AvailabilityOf
    catalogue: Catalogue
    checkImageUrl: CheckImageUrl
    limiter: RateLimiter
    live: Live
    parser: Parser
  }

/** The product API: all endpoints of the contract. */
export function apiRoutes(app: FastifyInstance, ports: ApiPorts): void {
  const { largeBodies, ...limits } = limitBy(ports.limiter)
  acceptOnlyJson(app, largeBodies)
  // Replies are not even cached by the browser, because they would outlive the sign-out.
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })
  const authenticate = authenticateBy(ports)
  const route = routesOn<Listener>(app, {
    authenticate,
    allowsGuests: ports.allowGuests,
    ...limits,
    admit: async (entry) => {
      await limits.admit(entry)
      refuseByScope(entry)
    },
  })
  const live = { ...ports, authenticate, onSessionEnd: ports.accounts.onSessionEnd, streams: eventStreamsOn(app) }
  const handlers = handlersOf(
    clubHandlers(ports),
    movieHandlers(ports),
    nightAndDrawHandlers(ports),
    newsHandlers(ports),
    liveHandlers(live),
  )
  mountAll(route, ENDPOINTS, handlers)
  profileOfAvatarRoute(route, ports)
  const documentation = openApiRoutes(app)
  refuseOtherMethods(app, [...Object.values(ENDPOINTS), PROFILE_OF_AVATAR, ...documentation], problemFor(405))
}

function clubHandlers(ports: ApiPorts) {
  const { account } = ports.accounts
  const ownProfile = async (user: User) => await getOwnProfile(ports, user)
  const requireFresh = async (user: User) => {
    if (account) await requireFreshSignIn(account, user)
    else requireRecentSignIn(ports.clock, user)
  }
  return handlersOf(
    watchlistHandlers({ ...ports, ...LEAVING }),
    profileHandlers(ports),
    invitationHandlers({ ...ports, mailed: mailedInvitations }),
    joinLinkHandlers(ports),
    account
      ? accountHandlers({
          account,
          ownData: (user, caller) => ownData({ ...ports, account, ownProfile }, user, caller),
        })
      : accountElsewhere(),
    personalTokenHandlers({ ...ports, ...(account && { recordChange: account.recordChange }), requireFresh }),
    setupHandlers(ports),
  )
}

function movieHandlers(ports: ApiPorts) {
  const marks = ports.mediaServers && serverMarks(ports)
  return handlersOf(
    cardHandlers({ ...ports, nights: attendance }),
    importHandlers(ports),
    commentHandlers({ ...ports, cards: { findInFeed } }),
    viewingHandlers({ ...ports, cards: { findInFeed, onlyInFeed }, nights: attendance, marks }),
    exportHandlers(ports),
    imageUrlHandlers(ports),
    catalogueHandlers(ports),
    availabilityHandlers({ ...ports, nights: attendance }),
    mediaServerHandlers(ports),
    mediaLinkHandlers(ports),
    movieRequestHandlers({ ...ports, cards: { findFeedMovies } }),
  )
}

function nightAndDrawHandlers(ports: ApiPorts) {
  return handlersOf(
    drawHandlers({ ...ports, nights: drawNights }),
    nightHandlers(ports),
    guestHandlers(ports),
    screenHandlers(ports),
    playHandlers(ports),
    statisticsHandlers(ports),
  )
}

function newsHandlers(ports: ApiPorts) {
  return handlersOf(notificationHandlers(ports), pushHandlers(ports), webhookHandlers(ports))
}
