import { listInvitedBy, listInvitedIds, listInvitedTo } from './rooms/club/invitations/service.ts'
import { forgetJoining, revokeJoinLinks } from './rooms/club/join-links/service.ts'
import { forgetWants } from './rooms/movies/cards/service.ts'
import { disconnectServersOf } from './rooms/movies/media-servers/service.ts'
import { disconnectRequestServerOf } from './rooms/movies/movie-requests/service.ts'
import { switchWebhooksOff } from './rooms/news/webhooks/service.ts'
import { forgetAtNights, forgetGuest, listGuestIn } from './rooms/nights/nights/service.ts'

/** What is removed when a membership ends, an account is deleted or a watchlist gets another owner. */
export const LEAVING = {
  invitations: { forget: forgetJoining, revokeLinks: revokeJoinLinks, listInvitedBy, listInvitedIds, listInvitedTo },
  wants: { forget: forgetWants },
  nights: { forget: forgetAtNights, forgetGuest, listGuestIn },
  webhooks: { switchOff: switchWebhooksOff },
  media: { forget: disconnectServersOf },
  requests: { forget: disconnectRequestServerOf },
}
