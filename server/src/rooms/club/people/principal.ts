import type { ENDPOINTS } from '@marquee/contract/endpoints'
import type { TokenScope } from '@marquee/contract/entities/personal-token'
import type { HandlersFor } from '@marquee/platform/http/mount'

/** A user who has signed in. `userId` is the subject of the token and never shown; other users see `username`. */
export type User = {
  readonly userId: string
  readonly username: string
  /** The session of the call, if the identity service names it. */
  readonly sessionId?: string
  /** When the user signed in, in seconds since 1970, if only the token says so. */
  readonly authTime?: number
  /** Set if the call was made with a personal access token. */
  readonly tokenScope?: TokenScope
  readonly pass?: undefined
}

/** The role and the only night of a guest or a screen. */
export type NightPass = { readonly role: 'nightGuest' | 'screen'; readonly nightId: string }

/** A guest or a screen of a movie night. `userId` is the id of the pass, `username` the name of the guest. */
export type PassHolder = {
  readonly userId: string
  readonly username: string
  readonly pass: NightPass
  readonly sessionId?: undefined
  readonly tokenScope?: undefined
}

/** Who makes a call. Only a user makes a call that takes no pass. A visitor without an account has no principal. */
export type Principal = User | PassHolder

/** A handler for each call of the contract. A noun has those of its calls. */
export type Handlers = HandlersFor<typeof ENDPOINTS, Principal>
