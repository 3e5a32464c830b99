import type { ReplyTables } from '@marquee/platform/idempotency/store'
import type { MailTables } from '@marquee/platform/mail/store'

import type { InstallationTables } from './installation/store.ts'
import type { ActivityTables } from './rooms/news/activities/store.ts'
import type { BoxOfferTables } from './rooms/movies/availability/box-offer-store.ts'
import type { AvailabilityTables } from './rooms/movies/availability/store.ts'
import type { CardTables } from './rooms/movies/cards/card/store.ts'
import type { CommentTables } from './rooms/movies/comments/store.ts'
import type { ShareTables } from './rooms/draws/shares-store.ts'
import type { DrawTables } from './rooms/draws/store.ts'
import type { MediaLinkTables } from './rooms/movies/media-links/store.ts'
import type { MediaTables } from './rooms/movies/media-servers/store.ts'
import type { MovieRequestTables } from './rooms/movies/movie-requests/store.ts'
import type { HoldTables } from './rooms/movies/images/store.ts'
import type { ImportTables } from './rooms/movies/imports/store.ts'
import type { InvitationMailTables } from './rooms/club/invitations/mail-store.ts'
import type { InvitationTables } from './rooms/club/invitations/store.ts'
import type { NightFeedTables } from './rooms/nights/nights/plan/feed-store.ts'
import type { FilmTables } from './rooms/nights/nights/presence/film-store.ts'
import type { PassTables } from './rooms/nights/nights/night/pass-store.ts'
import type { NightMailTables } from './rooms/nights/nights/plan/waiting-mail-store.ts'
import type { ReminderTables } from './rooms/nights/nights/plan/reminder-store.ts'
import type { ScreenTables } from './rooms/nights/nights/passes/screen-store.ts'
import type { NightTables } from './rooms/nights/nights/night/store.ts'
import type { VoteTables } from './rooms/nights/nights/vote/vote-store.ts'
import type { JoinLinkTables } from './rooms/club/join-links/store.ts'
import type { PersonalTokenTables } from './rooms/club/personal-tokens/store.ts'
import type { NotificationMailTables } from './rooms/news/notifications/mail-store.ts'
import type { SettingsTables } from './rooms/news/notifications/settings-store.ts'
import type { NotificationTables } from './rooms/news/notifications/store.ts'
import type { PushTables } from './rooms/news/push/store.ts'
import type { RequestTables } from './rooms/movies/posters/store.ts'
import type { ProfileTables } from './rooms/club/people/store.ts'
import type { ViewingTables } from './rooms/movies/viewings/store.ts'
import type { WebhookTables } from './rooms/news/webhooks/store.ts'
import type { WatchlistTables } from './rooms/club/watchlists/store.ts'

/** All tables but those of the user pool. Each store declares its own; `tables.test.ts` compares them with the database. */
export type Tables = WatchlistTables &
  CardTables &
  AvailabilityTables &
  BoxOfferTables &
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
  MediaTables &
  MediaLinkTables &
  MovieRequestTables &
  RequestTables &
  ImportTables &
  NightTables &
  VoteTables &
  FilmTables &
  ReminderTables &
  NightMailTables &
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
