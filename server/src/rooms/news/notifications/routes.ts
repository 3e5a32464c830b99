import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal } from '../../club/people/service.ts'
import {
  countUnread,
  listNotifications,
  type NotificationPorts,
  readNotification,
  readNotifications,
  seeNotifications,
} from './list.ts'
import { changeSettings, getMailSettings, setMailSettings, showSettings } from './settings.ts'

export function notificationRoutes(route: Route<Principal>, ports: NotificationPorts): void {
  route(ENDPOINTS.listNotifications, async ({ user, query }) => await listNotifications(ports, user, query))

  route(ENDPOINTS.countUnread, async ({ user }) => await countUnread(ports, user))

  route(
    ENDPOINTS.readNotification,
    async ({ user, params }) => await readNotification(ports, user, params.notificationId),
  )

  route(ENDPOINTS.readNotifications, async ({ user, body }) => await readNotifications(ports, user, body.upTo))

  route(ENDPOINTS.seeNotifications, async ({ user, body }) => await seeNotifications(ports, user, body))

  route(ENDPOINTS.getNotificationSettings, async ({ user }) => await showSettings(ports, user))

  route(ENDPOINTS.changeNotificationSettings, async ({ user, body }) => await changeSettings(ports, user, body))

  route(ENDPOINTS.getMailSettings, async ({ user }) => await getMailSettings(ports, user))

  route(ENDPOINTS.setMailSettings, async ({ user, body }) => await setMailSettings(ports, user, body))
}
