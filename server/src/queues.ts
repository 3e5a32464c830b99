import type { FastifyInstance } from 'fastify'

import { nightCalendars } from './mails/night-calendar.ts'
import { nightMails } from './mails/night-mail.ts'
import { notificationMails } from './mails/notification-mail.ts'
import { ratingMails } from './mails/rating-mail.ts'
import { factsTo } from './rooms/news/facts/service.ts'
import { startActivityQueue } from './rooms/news/activities/queue.ts'
import { findFeedMovies, listMoviesInBox, movieOfCard, settlePoster } from './rooms/movies/cards/service.ts'
import type { Catalogue } from './rooms/movies/catalogue/service.ts'
import type { Images } from './rooms/movies/images/service.ts'
import { startBoxQueue } from './rooms/movies/availability/box-queue.ts'
import { startMarkQueue } from './rooms/movies/media-links/queue.ts'
import { sendArrived } from './rooms/movies/media-links/sending.ts'
import { startMediaQueue } from './rooms/movies/media-servers/queue.ts'
import { startRequestQueue } from './rooms/movies/movie-requests/queue.ts'
import { startImportQueue } from './rooms/movies/imports/queue.ts'
import { noteRefusedMail } from './rooms/club/invitations/service.ts'
import { findAddressee, noteRefusedLink } from './rooms/club/join-links/service.ts'
import { createLive } from './rooms/news/live/service.ts'
import { answerUrls, startRatingReminders, startWaitingNightMails } from './rooms/nights/nights/service.ts'
import { announceToMembers } from './rooms/news/notifications/announce.ts'
import { findToPush } from './rooms/news/notifications/list.ts'
import { startNotificationMails } from './rooms/news/notifications/mail-queue.ts'
import { listMailTimes, noteRefusedEmail } from './rooms/news/notifications/service.ts'
import { unsubscribeUrls } from './rooms/news/notifications/unsubscribe.ts'
import { startPosterQueue } from './rooms/movies/posters/queue.ts'
import { uncopiedPosters } from './rooms/movies/posters/service.ts'
import { startPushQueue } from './rooms/news/push/queue.ts'
import type { PushPorts } from './rooms/news/push/service.ts'
import { startWebhookQueue } from './rooms/news/webhooks/queue.ts'
import { startRemovals } from './rooms/club/watchlists/removal.ts'
import { announceByWebhooks } from './rooms/news/webhooks/service.ts'
import type { Ports } from './ports.ts'
import { userAgentOf } from './texts/product-name.ts'
import { pushText } from './texts/push-text.ts'

/** Starts the queues that announce what happens: notifications, push messages, mails and webhooks. */
export function startAnnouncing(app: FastifyInstance, ports: Ports, isSignedIn: PushPorts['isSignedIn']) {
  const events = createLive(ports.bus)
  const userAgent = userAgentOf(ports.publicUrl)
  const push = startPushQueue({
    ...ports,
    isSignedIn,
    userAgent,
    findToPush: async (user, id) => await findToPush(ports, user, id),
    pushText,
  })
  app.addHook('onClose', push.stop)
  ports.mail.onRefusal('invitation', async (trx, { watchlistId = '', userId = '', linkId }) => {
    const now = ports.clock.now().toISOString()
    if (linkId === undefined) await noteRefusedMail(trx, { watchlistId, userId }, now)
    else await noteRefusedLink(trx, { watchlistId, linkId }, now)
  })
  ports.mail.onRefusal('person', async (trx, { userId = '', username = '', email = '' }, isRefused) => {
    if (isRefused) await noteRefusedEmail(trx, { userId, username }, email)
  })
  const unsubscribeUrl = unsubscribeUrls(ports)
  const notificationMail = notificationMails(ports.publicUrl)
  const mails = startNotificationMails({ ...ports, unsubscribeUrl, notificationMail })
  app.addHook('onClose', mails.stop)
  const wakeActivities = (): void => {
    activities.wakeSoon()
  }
  const facts = factsTo({ ...ports, live: events, wakeActivities })
  const webhooks = startWebhookQueue({ ...ports, userAgent, facts })
  app.addHook('onClose', webhooks.stop)
  const activities = startActivityQueue({
    ...ports,
    findAddressee: async (activity) => await findAddressee(ports, activity),
    announce: [
      announceToMembers({ ...ports, live: events, wakePush: push.wake, wakeMails: mails.wake }),
      announceByWebhooks(ports, webhooks.wake),
    ],
  })
  app.addHook('onClose', activities.stop)
  return {
    facts,
    live: events,
    unsubscribeUrl,
    answerUrl: answerUrls(ports),
    mailTimes: listMailTimes,
    wakeActivities,
    wakeMails: mails.wake,
    wakeWebhooks: webhooks.wake,
  }
}

type WorkPorts = Ports &
  Pick<
    ReturnType<typeof startAnnouncing>,
    'answerUrl' | 'facts' | 'live' | 'mailTimes' | 'unsubscribeUrl' | 'wakeActivities'
  > & {
    readonly images: Images
    /** Missing without a movie catalogue. */
    readonly keepPicture: Catalogue['keepPicture'] | undefined
  }

/** Starts the queues that change watchlists in the background: posters, imports, and what follows a movie night. */
export function startWork(app: FastifyInstance, ports: WorkPorts) {
  const { keepPicture, database, wakeActivities } = ports
  const copies =
    ports.remotePosters === 'copy'
      ? startPosterQueue({
          ...ports,
          settle: settlePoster,
          findPicture:
            keepPicture &&
            (async (poster, stopping) => {
              const card = await movieOfCard(database.read, poster)
              return card && (await keepPicture(card, poster.userId, stopping))
            }),
        })
      : undefined
  app.addHook('onClose', async () => await copies?.stop())
  const posters = copies ?? uncopiedPosters
  const imports = startImportQueue({ ...ports, posters })
  app.addHook('onClose', imports.stop)
  const reminders = startRatingReminders({ ...ports, ratingMail: ratingMails(ports.publicUrl) })
  app.addHook('onClose', reminders.stop)
  const nightMail = nightMails(ports.publicUrl)
  const waitingMails = startWaitingNightMails({ ...ports, nightMail, nightCalendar: nightCalendars(ports.publicUrl) })
  app.addHook('onClose', waitingMails.stop)
  const removals = startRemovals(ports)
  app.addHook('onClose', removals.stop)
  ports.accounts.onWatchlistsChange?.(() => {
    wakeActivities()
    removals.wake()
  })
  startBoxes(app, ports)
  return { posters, imports, removals, ...startMediaWork(app, ports) }
}

/** Finds out where the movies of boxes can be watched, if that is switched on. */
function startBoxes(app: FastifyInstance, { watchProviders, ...ports }: Ports) {
  if (!watchProviders) return
  const boxes = startBoxQueue({
    ...ports,
    watchProviders,
    listMovies: listMoviesInBox,
    userAgent: userAgentOf(ports.publicUrl),
  })
  app.addHook('onClose', boxes.stop)
}

/** The queues of media servers, if they are switched on. */
function startMediaWork(app: FastifyInstance, { mediaServers, ...ports }: WorkPorts) {
  const nothing = () => undefined
  if (!mediaServers) return { wakeMediaServers: nothing, wakeMarks: nothing, wakeMovieRequests: nothing }
  const marks = startMarkQueue({ ...ports, mediaServers })
  app.addHook('onClose', marks.stop)
  const media = startMediaQueue({
    ...ports,
    mediaServers,
    afterReading: async (key) => {
      await sendArrived(ports, key)
      // Also marks that waited for the first list.
      marks.wake()
    },
  })
  app.addHook('onClose', media.stop)
  const requests = startRequestQueue({
    ...ports,
    mediaServers,
    cards: { findFeedMovies },
    wakeMediaServers: media.wake,
  })
  app.addHook('onClose', requests.stop)
  return { wakeMediaServers: media.wake, wakeMarks: marks.wake, wakeMovieRequests: requests.wake }
}
