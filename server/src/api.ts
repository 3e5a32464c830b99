import type { FastifyInstance } from 'fastify'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eventStreamsOn } from '@marquee/platform/http/event-stream'
import { acceptOnlyJson } from '@marquee/platform/http/json-bodies'
import { routesOn } from '@marquee/platform/http/mount'
import { refuseOtherMethods } from '@marquee/platform/http/other-methods'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'

import { authenticateBy, refuseByScope } from './authenticate.ts'
import { accountElsewhere, accountRoutes } from './modules/account/routes.ts'
import { requireFreshSignIn, requireRecentSignIn } from './modules/account/service.ts'
import { cardRoutes } from './modules/cards/routes.ts'
import { type CardPorts, findInFeed, onlyInFeed, wantKeeping } from './modules/cards/service.ts'
import { catalogueRoutes } from './modules/catalogue/routes.ts'
import type { Catalogue } from './modules/catalogue/service.ts'
import { commentRoutes } from './modules/comments/routes.ts'
import { drawRoutes } from './modules/draws/routes.ts'
import { exportRoutes } from './modules/exports/routes.ts'
import { imageUrlRoutes } from './modules/images/routes.ts'
import type { CheckImageUrl } from './modules/images/url-check.ts'
import { importRoutes } from './modules/imports/routes.ts'
import type { ImportPorts } from './modules/imports/service.ts'
import { invitationRoutes } from './modules/invitations/routes.ts'
import type { MailInvitationPorts } from './modules/join-links/mail-invitations.ts'
import { joinLinkRoutes } from './modules/join-links/routes.ts'
import { joinKeeping, mailedInvitations } from './modules/join-links/service.ts'
import { liveRoutes } from './modules/live/routes.ts'
import type { Live } from './modules/live/service.ts'
import { guestRoutes, screenRoutes } from './modules/nights/guest-routes.ts'
import { nightRoutes } from './modules/nights/routes.ts'
import { attendance, drawNights, type GuestPorts, nightKeeping, type NightPorts } from './modules/nights/service.ts'
import { personalTokenRoutes } from './modules/personal-tokens/routes.ts'
import type { PersonalTokenPorts } from './modules/personal-tokens/service.ts'
import type { NotificationPorts } from './modules/notifications/list.ts'
import { notificationRoutes } from './modules/notifications/routes.ts'
import { pushRoutes } from './modules/push/routes.ts'
import type { PushPorts } from './modules/push/service.ts'
import { getOwnProfile, type ProfilePorts } from './modules/profiles/profile.ts'
import type { User } from './modules/profiles/service.ts'
import { PROFILE_OF_AVATAR, profileRoutes } from './modules/profiles/routes.ts'
import { setupRoutes } from './modules/setup/routes.ts'
import type { SetupPorts } from './modules/setup/service.ts'
import { viewingRoutes } from './modules/viewings/routes.ts'
import type { UploadPorts } from './modules/watchlists/image.ts'
import { statisticsRoutes } from './modules/statistics/routes.ts'
import type { RemovalOfWatchlists } from './modules/watchlists/ownership.ts'
import { watchlistRoutes } from './modules/watchlists/routes.ts'
import { webhookRoutes } from './modules/webhooks/routes.ts'
import { webhookKeeping, type WebhookPorts } from './modules/webhooks/service.ts'
import { openApiRoutes } from './openapi/routes.ts'
import type { Parser } from './parsing/parser.ts'
import { ownData } from './own-data.ts'
import type { Accounts } from './ports.ts'
import { problemFor } from './problem-replies.ts'
import { limitBy } from './rate-limits.ts'

/** The product API: all endpoints of the contract. */
export function apiRoutes(
  app: FastifyInstance,
  ports: CardPorts &
    UploadPorts &
    ImportPorts &
    MailInvitationPorts &
    NightPorts &
    GuestPorts &
    Omit<PersonalTokenPorts, 'recordChange'> &
    WebhookPorts &
    PushPorts &
    NotificationPorts &
    SetupPorts &
    ProfilePorts &
    RemovalOfWatchlists & {
      accounts: Accounts
      allowGuests: boolean
      catalogue: Catalogue
      checkImageUrl: CheckImageUrl
      limiter: RateLimiter
      live: Live
      parser: Parser
    },
): void {
  const { largeBodies, ...limits } = limitBy(ports.limiter)
  acceptOnlyJson(app, largeBodies)
  // Replies are not even cached by the browser, because they would outlive the sign-out.
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })
  const authenticate = authenticateBy(ports)
  const route = routesOn(app, {
    authenticate,
    allowsGuests: ports.allowGuests,
    ...limits,
    admit: async (entry) => {
      await limits.admit(entry)
      refuseByScope(entry)
    },
  })
  watchlistRoutes(route, {
    ...ports,
    invitations: joinKeeping,
    wants: wantKeeping,
    nights: nightKeeping,
    webhooks: webhookKeeping,
  })
  cardRoutes(route, { ...ports, nights: attendance })
  drawRoutes(route, { ...ports, nights: drawNights })
  importRoutes(route, ports)
  nightRoutes(route, ports)
  guestRoutes(route, ports)
  screenRoutes(route, ports)
  commentRoutes(route, { ...ports, cards: { findInFeed } })
  viewingRoutes(route, { ...ports, cards: { findInFeed, onlyInFeed }, nights: attendance })
  exportRoutes(route, ports)
  statisticsRoutes(route, ports)
  notificationRoutes(route, ports)
  pushRoutes(route, ports)
  profileRoutes(route, ports)
  imageUrlRoutes(route, ports)
  invitationRoutes(route, { ...ports, mailed: mailedInvitations })
  joinLinkRoutes(route, ports)
  webhookRoutes(route, ports)
  catalogueRoutes(route, ports)
  const { account, onSessionEnd } = ports.accounts
  if (account) {
    const own = { ...ports, account, ownProfile: async (user: User) => await getOwnProfile(ports, user) }
    accountRoutes(route, { account, ownData: (user, caller) => ownData(own, user, caller) })
  } else accountElsewhere(route)
  personalTokenRoutes(route, {
    ...ports,
    ...(account && { recordChange: account.recordChange }),
    requireFresh: async (user) => {
      if (account) await requireFreshSignIn(account, user)
      else requireRecentSignIn(ports.clock, user)
    },
  })
  setupRoutes(route, ports)
  liveRoutes(route, { ...ports, authenticate, onSessionEnd, streams: eventStreamsOn(app) })
  openApiRoutes(app)
  refuseOtherMethods(app, [...Object.values(ENDPOINTS), PROFILE_OF_AVATAR], problemFor(405))
}
