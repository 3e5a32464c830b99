import type { ReplyTables } from '@marquee/platform/idempotency/store'
import type { MailTables } from '@marquee/platform/mail/store'

import type { InstallationTables } from './installation/store.ts'
import type { ActivityTables } from './modules/activities/store.ts'
import type { CardTables } from './modules/cards/store.ts'
import type { CommentTables } from './modules/comments/store.ts'
import type { ShareTables } from './modules/draws/shares-store.ts'
import type { DrawTables } from './modules/draws/store.ts'
import type { HoldTables } from './modules/images/store.ts'
import type { ImportTables } from './modules/imports/store.ts'
import type { InvitationMailTables } from './modules/invitations/mail-store.ts'
import type { InvitationTables } from './modules/invitations/store.ts'
import type { NightFeedTables } from './modules/nights/feed-store.ts'
import type { FilmTables } from './modules/nights/film-store.ts'
import type { PassTables } from './modules/nights/pass-store.ts'
import type { ReminderTables } from './modules/nights/reminder-store.ts'
import type { ScreenTables } from './modules/nights/screen-store.ts'
import type { NightTables } from './modules/nights/store.ts'
import type { VoteTables } from './modules/nights/vote-store.ts'
import type { JoinLinkTables } from './modules/join-links/store.ts'
import type { PersonalTokenTables } from './modules/personal-tokens/store.ts'
import type { NotificationMailTables } from './modules/notifications/mail-store.ts'
import type { SettingsTables } from './modules/notifications/settings-store.ts'
import type { NotificationTables } from './modules/notifications/store.ts'
import type { PushTables } from './modules/push/store.ts'
import type { RequestTables } from './modules/posters/store.ts'
import type { ProfileTables } from './modules/profiles/store.ts'
import type { ViewingTables } from './modules/viewings/store.ts'
import type { WebhookTables } from './modules/webhooks/store.ts'
import type { WatchlistTables } from './modules/watchlists/store.ts'

/** All tables but those of the user pool. Each store declares its own; `tables.test.ts` compares them with the database. */
export type Tables = WatchlistTables &
  CardTables &
  CommentTables &
  ViewingTables &
  DrawTables &
  ShareTables &
  InvitationTables &
  InvitationMailTables &
  JoinLinkTables &
  PersonalTokenTables &
  ProfileTables &
  HoldTables &
  RequestTables &
  ImportTables &
  NightTables &
  VoteTables &
  FilmTables &
  ReminderTables &
  NightFeedTables &
  PassTables &
  ActivityTables &
  NotificationTables &
  PushTables &
  SettingsTables &
  NotificationMailTables &
  ScreenTables &
  InstallationTables &
  WebhookTables &
  MailTables &
  ReplyTables
