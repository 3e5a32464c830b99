import type { FastifyInstance } from 'fastify'

import { notificationMails } from './mails/notification-mail.ts'
import { ratingMails } from './mails/rating-mail.ts'
import { factsTo } from './modules/facts/facts.ts'
import { startActivityQueue } from './modules/activities/queue.ts'
import { movieOfCard, settlePoster } from './modules/cards/service.ts'
import type { Catalogue } from './modules/catalogue/service.ts'
import type { Images } from './modules/images/service.ts'
import { startImportQueue } from './modules/imports/queue.ts'
import { noteRefusedMail } from './modules/invitations/service.ts'
import { findAddressee, noteRefusedLink } from './modules/join-links/service.ts'
import { createLive } from './modules/live/service.ts'
import { type NightPorts, startRatingReminders } from './modules/nights/service.ts'
import { announceToMembers } from './modules/notifications/announce.ts'
import { findToPush } from './modules/notifications/list.ts'
import { startNotificationMails } from './modules/notifications/mail-queue.ts'
import { listMailedNow } from './modules/notifications/service.ts'
import { unsubscribeUrls } from './modules/notifications/unsubscribe.ts'
import { startPosterQueue } from './modules/posters/queue.ts'
import { uncopiedPosters } from './modules/posters/service.ts'
import { startPushQueue } from './modules/push/queue.ts'
import type { PushPorts } from './modules/push/service.ts'
import { startWebhookQueue } from './modules/webhooks/queue.ts'
import { startRemovals } from './modules/watchlists/removal.ts'
import { announceByWebhooks } from './modules/webhooks/service.ts'
import type { Ports } from './ports.ts'
import { userAgentOf } from './product-name.ts'
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
  const unsubscribeUrl = unsubscribeUrls(ports)
  const notificationMail = notificationMails(ports.publicUrl)
  const mailedNow: NightPorts['mailedNow'] = async (ids, about) => await listMailedNow(ports, ids, about)
  const mails = startNotificationMails({ ...ports, unsubscribeUrl, notificationMail })
  app.addHook('onClose', mails.stop)
  const facts = factsTo({ ...ports, live: events, wakeActivities: () => activities.wakeSoon() })
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
    mailedNow,
    wakeMails: mails.wake,
    wakeWebhooks: webhooks.wake,
  }
}

type WorkPorts = Ports &
  Pick<ReturnType<typeof startAnnouncing>, 'facts' | 'live' | 'mailedNow' | 'unsubscribeUrl'> & {
    readonly images: Images
    /** Missing without a movie catalogue. */
    readonly keepPicture: Catalogue['keepPicture'] | undefined
  }

/** Starts the queues that change watchlists in the background: posters, imports, and what follows a movie night. */
export function startWork(app: FastifyInstance, ports: WorkPorts) {
  const { keepPicture, database } = ports
  const copies =
    ports.remotePosters === 'copy'
      ? startPosterQueue({
          ...ports,
          settle: settlePoster,
          findPicture:
            keepPicture &&
            (async (poster) => {
              const card = await movieOfCard(database.read, poster)
              return card && (await keepPicture(card, poster.userId))
            }),
        })
      : undefined
  app.addHook('onClose', async () => await copies?.stop())
  const posters = copies ?? uncopiedPosters
  const imports = startImportQueue({ ...ports, posters })
  app.addHook('onClose', imports.stop)
  const reminders = startRatingReminders({ ...ports, ratingMail: ratingMails(ports.publicUrl) })
  app.addHook('onClose', reminders.stop)
  const removals = startRemovals(ports)
  app.addHook('onClose', removals.stop)
  return { posters, imports, removals }
}
