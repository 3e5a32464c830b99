import type { FastifyInstance } from 'fastify'

import { MAX_BODY_BYTES } from '@marquee/contract/endpoints'
import { closeGently } from '@marquee/platform/http/close-gently'
import { createHttp } from '@marquee/platform/http/kernel'
import { logRequests } from '@marquee/platform/http/request-log'
import { sweepHourly } from '@marquee/platform/http/sweep-hourly'
import { sweepReplies } from '@marquee/platform/idempotency/sweep'
import { addSecurityHeaders } from '@marquee/platform/http/security-headers'

import { apiRoutes } from './api.ts'
import { coarseClient } from '@marquee/identity'
import { configRoute } from './config-route.ts'
import { healthRoutes } from './health-routes.ts'
import { invitationMails, joinMails } from './mails/invitation-mail.ts'
import { joinPageHeads } from './join-page.ts'
import { nightCalendars } from './mails/night-calendar.ts'
import { nightMails } from './mails/night-mail.ts'
import { testMails } from './mails/test-mail.ts'
import { createAvailability, sweepAnswers } from './rooms/movies/availability/service.ts'
import { findFeedMovies } from './rooms/movies/cards/service.ts'
import { posterRoutes } from './rooms/movies/catalogue/routes.ts'
import { createCatalogue } from './rooms/movies/catalogue/service.ts'
import { sweepInvitationMails } from './rooms/club/invitations/service.ts'
import { sweepReservations } from './rooms/club/join-links/service.ts'
import type { ChangePorts } from './rooms/club/watchlists/service.ts'
import { sweepForgotten, sweepScreenCodes } from './rooms/nights/nights/service.ts'
import { startRegularSweep, SWEEP_TIMES } from './rooms/movies/images/regular-sweep.ts'
import { imageRoutes } from './rooms/movies/images/routes.ts'
import { createImages } from './rooms/movies/images/service.ts'
import { createUrlCheck } from './rooms/movies/images/url-check.ts'
import type { PushPorts } from './rooms/news/push/service.ts'
import type { Accounts, Ports } from './ports.ts'
import { problemFor, translateProblem } from './openapi/problem-replies.ts'
import { mediaReports } from './media-reports.ts'
import { endLinksByKey, endLinksTo } from './rooms/movies/media-links/service.ts'
import { userAgentOf } from './texts/product-name.ts'
import { startAnnouncing, startWork } from './queues.ts'
import { nightAnswerPage } from './night-answer-page.ts'
import { unsubscribePage } from './unsubscribe-page.ts'
import { serveWebApp } from './web-app.ts'

/** The whole server before it listens: product API, identity service, images and the web app. */
export async function buildApp(ports: Ports): Promise<FastifyInstance> {
  const app = createHttp({
    logger: ports.logger,
    bodyLimit: MAX_BODY_BYTES,
    ...(ports.trustedProxy !== undefined && { trustProxy: ports.trustedProxy }),
    problemFor,
    translate: translateProblem,
  })
  logRequests(app)
  ports.metrics?.observe(app)
  await addSecurityHeaders(app, {
    publicUrl: ports.publicUrl,
    origins: ports.accounts.origins,
    showsRemoteImages: ports.remotePosters === 'direct',
  })
  const images = createImages(ports)
  const checkImageUrl = createUrlCheck(ports)
  const isSignedIn = signInsOf(ports.accounts)
  const announcing = startAnnouncing(app, ports, isSignedIn)
  const catalogue = createCatalogue({ ...ports, ...ports.parser, images, userAgent: userAgentOf(ports.publicUrl) })
  const availability = createAvailability({
    ...ports,
    cards: { findFeedMovies },
    userAgent: userAgentOf(ports.publicUrl),
  })
  const keepPicture = ports.catalogue && catalogue.keepPicture
  const { posters, imports, removals, wakeMediaServers, wakeMarks, wakeMovieRequests } = startWork(app, {
    ...ports,
    ...announcing,
    images,
    keepPicture,
  })
  const media = { wakeMediaServers, endLinksByKey, endLinksTo, wakeMarks }
  await app.register(
    async (api) => {
      apiRoutes(api, {
        ...ports,
        ...ports.setup,
        ...announcing,
        firstAccount: ports.accounts.firstAccount,
        testMail: testMails(ports.publicUrl),
        images,
        posters,
        imports,
        removals,
        ...media,
        wakeMovieRequests,
        checkImageUrl,
        invitationMail: invitationMails(ports.publicUrl),
        joinMail: joinMails(ports.publicUrl),
        nightMail: nightMails(ports.publicUrl),
        nightCalendar: nightCalendars(ports.publicUrl),
        deviceOf: coarseClient,
        isSignedIn,
        catalogue,
        availability,
      })
    },
    { prefix: '/api' },
  )
  await addAccounts(app, ports.accounts)
  await unsubscribePage(app, { ...ports, wakeMails: announcing.wakeMails })
  await nightAnswerPage(app, {
    ...ports,
    ...announcing,
    images,
    nightMail: nightMails(ports.publicUrl),
    nightCalendar: nightCalendars(ports.publicUrl),
  })
  await mediaReports(app, { ...ports, ...announcing, images, ...media })
  imageRoutes(app, images)
  posterRoutes(app, catalogue)
  healthRoutes(app, ports)
  configRoute(app, ports)
  await serveWebApp(app, ports.webRoot, joinPageHeads({ ...ports, ...announcing, images }))
  startSweeps(app, { ...ports, ...announcing })
  closeGently(app, ports.closingGraceMs ?? 0, ports.leaving)
  await app.ready()
  return app
}

async function addAccounts(app: FastifyInstance, accounts: Accounts): Promise<void> {
  await app.register(async (identity) => await accounts.routes(identity), { prefix: '/identity' })
  await app.register(async (hosted) => await accounts.hostedRoutes(hosted))
}

/** Removes what is no longer needed, as long as the app is open. */
function startSweeps(app: FastifyInstance, ports: Ports & Pick<ChangePorts, 'facts'>): void {
  sweepHourly(app, ports.logger, 'old replies', async () => await sweepReplies(ports))
  sweepHourly(app, ports.logger, 'codes of screens', async () => await sweepScreenCodes(ports))
  sweepHourly(app, ports.logger, 'forgotten movie nights', async () => await sweepForgotten(ports))
  sweepHourly(app, ports.logger, 'reserved invitations', async () => await sweepReservations(ports))
  sweepHourly(app, ports.logger, 'counted invitation mails', async () => await sweepInvitationMails(ports))
  if (ports.watchProviders) {
    sweepHourly(app, ports.logger, 'where movies could be watched', async () => await sweepAnswers(ports))
  }
  const sweep = startRegularSweep(ports, ports.imageSweep ?? SWEEP_TIMES)
  app.addHook('onClose', sweep.stop)
  ports.metrics?.addGauge('images_held_back', 'Unused images that wait for an operator to sweep them', sweep.heldBack)
}

/** Whether a session is active. Amazon reports only whether the account is. */
function signInsOf({ account, isActive }: Accounts): PushPorts['isSignedIn'] {
  return async ({ sessionId, ...user }) => {
    if (!account) return (await isActive?.(user)) !== false
    return (await account.listSessions(user.userId)).some((session) => session.sessionId === sessionId)
  }
}
