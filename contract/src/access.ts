import type { EndpointName } from './endpoints.ts'

/**
 * What a caller is to a watchlist. A reader knows its id, and it is not private; members always read. An author is the
 * member who added the card, wrote the comment, created the link, gave the key of the media server, or whose own membership
 * it is. The owner is a member.
 * Night guests and screens hold a pass of one movie night and have no account.
 */
export type Role = 'reader' | 'member' | 'author' | 'owner' | 'nightGuest' | 'screen'

type Rule = { readonly by: readonly Role[]; readonly action: string; readonly calls: readonly EndpointName[] }

/** Who may do what with a watchlist. `docs/product/rules.md` shows this table. */
export const ACCESS = {
  'watchlist.read': { by: ['reader'], action: 'read a watchlist', calls: ['getWatchlist'] },
  'watchlist.follow': { by: ['reader'], action: 'follow its live events', calls: ['watchlistEvents'] },
  'watchlist.choose': { by: ['member'], action: 'set it as current', calls: ['setCurrentWatchlist'] },
  'watchlist.edit': {
    by: ['member'],
    action: 'edit name, description and image',
    calls: ['updateWatchlist', 'uploadWatchlistImage', 'deleteWatchlistImage'],
  },
  'watchlist.setCountry': {
    by: ['member'],
    action: 'set the country in which they watch',
    calls: ['setCountry'],
  },
  'availability.read': { by: ['member'], action: 'see where a movie can be watched', calls: ['listAvailability'] },
  'media.read': {
    by: ['member'],
    action: 'see its media servers, have them read',
    calls: ['listMediaServers', 'readMediaServer'],
  },
  'media.manage': {
    by: ['owner'],
    action: 'connect media servers',
    calls: ['connectMediaServer', 'changeMediaServer', 'deleteMediaServer', 'makeMediaHook'],
  },
  'media.confirm': {
    by: ['author'],
    action: 'confirm accounts of a media server whose key they gave',
    calls: ['answerMediaClaim'],
  },
  'media.link': {
    by: ['member'],
    action: "link one's own user of a media server",
    calls: [
      'listMediaLinks',
      'beginQuickConnect',
      'finishQuickConnect',
      'linkWithPassword',
      'listMediaAccounts',
      'claimMediaAccount',
      'unlinkMediaUser',
    ],
  },
  'request.read': { by: ['member'], action: 'see the server that is asked for movies', calls: ['getRequestServer'] },
  'request.manage': {
    by: ['owner'],
    action: 'connect the server that is asked for movies',
    calls: ['connectRequestServer', 'changeRequestServer', 'deleteRequestServer'],
  },
  'request.ask': { by: ['member'], action: 'ask for a movie', calls: ['askForMovie'] },
  'statistics.read': { by: ['member'], action: 'see its statistics', calls: ['getStatistics'] },
  'watchlist.export': { by: ['member'], action: 'export it', calls: ['exportWatchlist'] },
  'watchlist.setPrivacy': { by: ['owner'], action: 'make it private or not', calls: ['setWatchlistPrivacy'] },
  'watchlist.handOver': { by: ['owner'], action: 'hand it over', calls: ['handOverWatchlist'] },
  'watchlist.delete': { by: ['owner'], action: 'delete it', calls: ['deleteWatchlist'] },
  'member.remove': { by: ['author', 'owner'], action: 'leave, remove a member', calls: ['removeMember'] },
  'card.read': { by: ['reader'], action: 'read the feed', calls: ['listCards', 'listLibrary', 'getCard'] },
  'box.read': {
    by: ['member'],
    action: "count the box, see one's own cards in it",
    calls: ['countSuggestedCards', 'listSuggestions'],
  },
  'card.match': { by: ['member'], action: 'see whether a movie is in it', calls: ['matchMovie'] },
  'card.want': {
    by: ['member'],
    action: 'want a movie in the box, too',
    calls: ['wantMovie', 'listWants', 'unwantMovie'],
  },
  'card.add': { by: ['member'], action: 'add a card', calls: ['addCard'] },
  'card.import': {
    by: ['member'],
    action: 'import movies from a file',
    calls: ['beginImport', 'listImports', 'getImport', 'chooseImportRows', 'applyImport', 'cancelImport', 'undoImport'],
  },
  'card.reveal': {
    by: ['member'],
    action: 'reveal a card',
    calls: ['revealRandomCard', 'prepareDraw', 'closeSeedHashes', 'revealDraw'],
  },
  'draw.read': {
    by: ['member'],
    action: 'read draws, their receipts and the odds',
    calls: ['listDraws', 'getDraw', 'getDrawOdds'],
  },
  'draw.setRule': { by: ['owner'], action: 'set the draw rule', calls: ['setDrawRule'] },
  'card.move': { by: ['member'], action: 'move a card', calls: ['moveCard'] },
  'card.undo': { by: ['member'], action: "undo one's own decision", calls: ['undoMove'] },
  'card.edit': { by: ['author', 'owner'], action: 'edit a card', calls: ['editCard'] },
  'card.delete': { by: ['author', 'owner'], action: 'delete a card', calls: ['deleteCard'] },
  'viewing.read': { by: ['member'], action: 'see who has seen a movie', calls: ['listViewings'] },
  'viewing.change': {
    by: ['member'],
    action: 'mark a movie as seen, rate it',
    calls: ['saveViewing', 'deleteViewing'],
  },
  'comment.read': { by: ['reader'], action: 'read comments', calls: ['listComments'] },
  'comment.add': { by: ['member'], action: 'comment', calls: ['addComment'] },
  'comment.edit': { by: ['author'], action: 'edit a comment', calls: ['editComment'] },
  'comment.delete': { by: ['author'], action: 'delete a comment', calls: ['deleteComment'] },
  'night.read': {
    by: ['member'],
    action: 'see movie nights',
    calls: ['listNights', 'listNightFilms', 'getNight', 'getVetoBudget'],
  },
  'night.plan': {
    by: ['member'],
    action: 'plan, change and cancel a movie night',
    calls: ['planNight', 'changeNight', 'fixNightTime', 'cancelNight'],
  },
  'night.answer': { by: ['member'], action: 'answer its times', calls: ['answerNight'] },
  'night.subscribe': {
    by: ['member'],
    action: 'subscribe to its calendar',
    calls: ['findCalendar', 'makeCalendar', 'endCalendar'],
  },
  'night.run': { by: ['member'], action: 'start and end it', calls: ['openNight', 'startNight', 'endNight'] },
  'night.attend': { by: ['member'], action: 'be present at it', calls: ['arriveAtNight', 'leaveNight'] },
  'night.shortlist': {
    by: ['member'],
    action: 'draw its shortlist and close the vote',
    calls: ['openVote', 'closeVote'],
  },
  'night.vote': {
    by: ['member', 'nightGuest'],
    action: 'vote on the shortlist, veto a revealed card',
    calls: ['castBallot', 'vetoCard'],
  },
  'night.addSeed': {
    by: ['member', 'nightGuest'],
    action: 'add a seed to its draw',
    calls: ['addSeedHash', 'findSeedHashes', 'addSeed'],
  },
  'night.follow': {
    by: ['member', 'nightGuest', 'screen'],
    action: 'see who is at it, its vote and its live events',
    calls: ['getNightAsGuest', 'findVote', 'nightEvents', 'listNightAvailability'],
  },
  'night.invite': {
    by: ['member'],
    action: 'let guests in with a code, add a guest without a phone',
    calls: ['makeNightCode', 'renewNightCode', 'setGuestLimit', 'addGuest'],
  },
  'night.play': {
    by: ['member'],
    action: 'play its winner',
    calls: ['listPlayers', 'playWinner'],
  },
  'night.removeGuest': {
    by: ['member', 'nightGuest'],
    action: 'remove a guest, leave as a guest',
    calls: ['removeGuest'],
  },
  'night.show': { by: ['member', 'screen'], action: 'see it as a big screen shows it', calls: ['getNightScreen'] },
  'night.showScreen': {
    by: ['member'],
    action: 'show it on a television',
    calls: ['pairScreen', 'listScreens'],
  },
  'night.endScreen': { by: ['member', 'screen'], action: 'end a screen', calls: ['endScreen'] },
  'night.claim': { by: ['nightGuest'], action: 'keep what they did as a user', calls: ['claimNight'] },
  'night.setVetoes': { by: ['owner'], action: 'set how many vetoes a member has', calls: ['setVetoBudget'] },
  'invitation.add': { by: ['member'], action: 'invite', calls: ['inviteUser'] },
  'invitation.read': { by: ['member'], action: 'list pending invitations', calls: ['listPendingInvitations'] },
  'invitation.withdraw': {
    by: ['member'],
    action: 'withdraw an invitation',
    calls: ['withdrawInvitation', 'withdrawMailInvitation'],
  },
  'link.add': {
    by: ['member'],
    action: 'create a join link, invite a mail address',
    calls: ['createJoinLink', 'inviteByMail'],
  },
  'link.read': { by: ['member'], action: 'list join links', calls: ['listJoinLinks'] },
  'link.revoke': { by: ['author', 'owner'], action: 'revoke a join link', calls: ['revokeJoinLink'] },
  'link.setCreators': { by: ['owner'], action: 'set who creates join links', calls: ['setLinkCreators'] },
  'webhook.manage': {
    by: ['owner'],
    action: 'manage its webhooks',
    calls: ['listWebhooks', 'createWebhook', 'switchWebhook', 'deleteWebhook', 'testWebhook', 'listWebhookDeliveries'],
  },
} as const satisfies Record<string, Rule>

export type Verb = keyof typeof ACCESS

/** The verbs that depend on the author of a card, a comment, a link or a membership. */
export type AuthorVerb = { [V in Verb]: 'author' extends (typeof ACCESS)[V]['by'][number] ? V : never }[Verb]

/** The roles of one caller. */
export type Roles = Readonly<Partial<Record<Role, boolean>>>

export function isAllowed(verb: Verb, roles: Roles): boolean {
  return ACCESS[verb].by.some((role) => roles[role] === true)
}
