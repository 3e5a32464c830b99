/** All URLs of the app, as patterns for the router. No other file spells a path. */
export const ROUTES = {
  home: '/',
  login: '/auth/login',
  signup: '/auth/signup',
  verify: '/auth/verify',
  confirm: '/auth/confirm',
  forgotPassword: '/auth/forgot-password',
  resetPassword: '/auth/reset-password',
  authorize: '/auth/authorize',
  logout: '/auth/logout',
  external: '/auth/external',
  changePassword: '/account/change-password',
  profileEdit: '/profile/edit',
  account: '/account/:tab',
  notifications: '/notifications',
  share: '/share',
  join: '/join/:token',
  joinNight: '/join-night/:code?',
  tv: '/tv',
  setup: '/setup',
  watchlists: '/watchlists',
  createWatchlist: '/watchlists/create',
  acceptInvitation: '/watchlists/invitation/accept',
  watchlist: '/watchlists/:watchlistId',
  club: '/watchlists/:watchlistId/club',
  watchlistSettings: '/watchlists/:watchlistId/settings',
  importMovies: '/watchlists/:watchlistId/import',
  library: '/watchlists/:watchlistId/library',
  suggestions: '/watchlists/:watchlistId/suggestions',
  night: '/watchlists/:watchlistId/night',
  nightScreen: '/watchlists/:watchlistId/night/screen',
  statistics: '/watchlists/:watchlistId/statistics',
  draws: '/watchlists/:watchlistId/draws',
  draw: '/watchlists/:watchlistId/draws/:drawNumber',
  ourYear: '/watchlists/:watchlistId/statistics/:year',
} as const

/** The tabs of the account page, without the profile. */
export type AccountTab = 'sign-in' | 'devices' | 'notifications' | 'tokens' | 'data'

export type RouteName = keyof typeof ROUTES

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

function inWatchlist(watchlistId: string, rest: string): string {
  return `/watchlists/${encodeURIComponent(watchlistId)}${rest}`
}

/** The element of a watchlist's settings with its webhooks. */
export const WEBHOOKS_ID = 'webhooks'

/** The id of a card's element on the page. */
export function cardElementId(cardId: string): string {
  return `card-${cardId}`
}

/**
 * A link to each route. `redirect` is a path of this app with its query, where the user goes after signing in. Sign-up
 * and verification pass it on.
 */
export const to = {
  home: () => ROUTES.home,
  login: (redirect?: string) => withQuery(ROUTES.login, { redirect }),
  signup: (redirect?: string) => withQuery(ROUTES.signup, { redirect }),
  verify: (redirect?: string) => withQuery(ROUTES.verify, { redirect }),
  confirm: () => ROUTES.confirm,
  forgotPassword: (redirect?: string) => withQuery(ROUTES.forgotPassword, { redirect }),
  resetPassword: (redirect?: string) => withQuery(ROUTES.resetPassword, { redirect }),
  authorize: (request?: string) => withQuery(ROUTES.authorize, { request }),
  external: () => ROUTES.external,
  logout: (next?: string) => withQuery(ROUTES.logout, { next }),
  changePassword: () => ROUTES.changePassword,
  profileEdit: () => ROUTES.profileEdit,
  account: (tab: AccountTab) => `/account/${tab}`,
  notifications: () => ROUTES.notifications,
  share: () => ROUTES.share,
  join: (token: string) => `/join/${encodeURIComponent(token)}`,
  joinNight: (code: string) => `/join-night/${encodeURIComponent(code)}`,
  tv: () => ROUTES.tv,
  setup: () => ROUTES.setup,
  watchlists: () => ROUTES.watchlists,
  createWatchlist: () => ROUTES.createWatchlist,
  acceptInvitation: (token?: string) => withQuery(ROUTES.acceptInvitation, { token }),
  /** With a card, the feed moves the focus to it. */
  watchlist: (watchlistId: string, cardId?: string) =>
    inWatchlist(watchlistId, cardId === undefined ? '' : `#${cardElementId(cardId)}`),
  club: (watchlistId: string) => inWatchlist(watchlistId, '/club'),
  watchlistSettings: (watchlistId: string) => inWatchlist(watchlistId, '/settings'),
  importMovies: (watchlistId: string) => inWatchlist(watchlistId, '/import'),
  library: (watchlistId: string) => inWatchlist(watchlistId, '/library'),
  suggestions: (watchlistId: string) => inWatchlist(watchlistId, '/suggestions'),
  night: (watchlistId: string) => inWatchlist(watchlistId, '/night'),
  nightScreen: (watchlistId: string) => inWatchlist(watchlistId, '/night/screen'),
  statistics: (watchlistId: string) => inWatchlist(watchlistId, '/statistics'),
  draws: (watchlistId: string) => inWatchlist(watchlistId, '/draws'),
  draw: (watchlistId: string, drawNumber: number) => inWatchlist(watchlistId, `/draws/${drawNumber}`),
  ourYear: (watchlistId: string, year: number) => inWatchlist(watchlistId, `/statistics/${year}`),
} as const satisfies Record<RouteName, (...given: never[]) => string>

/**
 * An address of the server that redirects to the external provider. `redirect` is a path of this app, where the sign-in
 * ends. With `again` the provider asks even if it has a session.
 */
export function externalStart(redirect: string, { again = false } = {}): string {
  return `/oauth2/external/start?redirect=${encodeURIComponent(redirect)}${again ? '&again=true' : ''}`
}
