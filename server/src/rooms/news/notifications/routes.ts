import type { Handlers } from '../../club/people/service.ts'
import {
  countUnread,
  listNotifications,
  type NotificationPorts,
  readNotification,
  readNotifications,
  seeNotifications,
} from './list.ts'
import { changeSettings, getMailSettings, setMailSettings, showSettings } from './settings.ts'

export function notificationHandlers(ports: NotificationPorts) {
  return {
    listNotifications: async ({ user, query }) => await listNotifications(ports, user, query),
    countUnread: async ({ user }) => await countUnread(ports, user),
    readNotification: async ({ user, params }) => await readNotification(ports, user, params.notificationId),
    readNotifications: async ({ user, body }) => await readNotifications(ports, user, body.upTo),
    seeNotifications: async ({ user, body }) => await seeNotifications(ports, user, body),
    getNotificationSettings: async ({ user }) => await showSettings(ports, user),
    changeNotificationSettings: async ({ user, body }) => await changeSettings(ports, user, body),
    getMailSettings: async ({ user }) => await getMailSettings(ports, user),
    setMailSettings: async ({ user, body }) => await setMailSettings(ports, user, body),
  } satisfies Partial<Handlers>
}
