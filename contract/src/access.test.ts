import { expect, test } from 'vitest'

import { ACCESS, isAllowed, type Role, type Verb } from './access.ts'
import { type EndpointName, ENDPOINTS } from './endpoints.ts'

/** What each caller is to a watchlist. A stranger does not read it: it is private. */
const CALLERS = {
  stranger: [],
  reader: ['reader'],
  member: ['reader', 'member'],
  author: ['reader', 'member', 'author'],
  owner: ['reader', 'member', 'owner'],
  nightGuest: ['nightGuest'],
  screen: ['screen'],
} as const satisfies Record<string, readonly Role[]>

test.each<[Verb, (keyof typeof CALLERS)[]]>([
  ['watchlist.read', ['reader', 'member', 'author', 'owner']],
  ['watchlist.follow', ['reader', 'member', 'author', 'owner']],
  ['watchlist.choose', ['member', 'author', 'owner']],
  ['watchlist.edit', ['member', 'author', 'owner']],
  ['watchlist.setCountry', ['member', 'author', 'owner']],
  ['availability.read', ['member', 'author', 'owner']],
  ['media.read', ['member', 'author', 'owner']],
  ['media.manage', ['owner']],
  ['media.confirm', ['author']],
  ['media.link', ['member', 'author', 'owner']],
  ['request.read', ['member', 'author', 'owner']],
  ['request.manage', ['owner']],
  ['request.ask', ['member', 'author', 'owner']],
  ['watchlist.export', ['member', 'author', 'owner']],
  ['watchlist.setPrivacy', ['owner']],
  ['watchlist.handOver', ['owner']],
  ['watchlist.delete', ['owner']],
  ['member.remove', ['author', 'owner']],
  ['card.read', ['reader', 'member', 'author', 'owner']],
  ['box.read', ['member', 'author', 'owner']],
  ['card.want', ['member', 'author', 'owner']],
  ['card.add', ['member', 'author', 'owner']],
  ['card.import', ['member', 'author', 'owner']],
  ['card.reveal', ['member', 'author', 'owner']],
  ['card.move', ['member', 'author', 'owner']],
  ['card.undo', ['member', 'author', 'owner']],
  ['card.edit', ['author', 'owner']],
  ['card.delete', ['author', 'owner']],
  ['draw.read', ['member', 'author', 'owner']],
  ['draw.setRule', ['owner']],
  ['viewing.read', ['member', 'author', 'owner']],
  ['viewing.change', ['member', 'author', 'owner']],
  ['comment.read', ['reader', 'member', 'author', 'owner']],
  ['comment.add', ['member', 'author', 'owner']],
  ['comment.edit', ['author']],
  ['comment.delete', ['author']],
  ['night.read', ['member', 'author', 'owner']],
  ['night.plan', ['member', 'author', 'owner']],
  ['night.answer', ['member', 'author', 'owner']],
  ['night.subscribe', ['member', 'author', 'owner']],
  ['night.run', ['member', 'author', 'owner']],
  ['night.attend', ['member', 'author', 'owner']],
  ['night.shortlist', ['member', 'author', 'owner']],
  ['night.vote', ['member', 'author', 'owner', 'nightGuest']],
  ['night.addSeed', ['member', 'author', 'owner', 'nightGuest']],
  ['night.follow', ['member', 'author', 'owner', 'nightGuest', 'screen']],
  ['night.invite', ['member', 'author', 'owner']],
  ['night.removeGuest', ['member', 'author', 'owner', 'nightGuest']],
  ['night.show', ['member', 'author', 'owner', 'screen']],
  ['night.showScreen', ['member', 'author', 'owner']],
  ['night.endScreen', ['member', 'author', 'owner', 'screen']],
  ['night.play', ['member', 'author', 'owner']],
  ['night.claim', ['nightGuest']],
  ['night.setVetoes', ['owner']],
  ['invitation.add', ['member', 'author', 'owner']],
  ['invitation.read', ['member', 'author', 'owner']],
  ['invitation.withdraw', ['member', 'author', 'owner']],
  ['link.add', ['member', 'author', 'owner']],
  ['link.read', ['member', 'author', 'owner']],
  ['link.revoke', ['author', 'owner']],
  ['link.setCreators', ['owner']],
  ['webhook.manage', ['owner']],
])('the verb %s is allowed for %j', (verb, callers) => {
  const allowed = Object.entries(CALLERS)
    .filter(([, roles]) => isAllowed(verb, Object.fromEntries(roles.map((role) => [role, true]))))
    .map(([caller]) => caller)

  expect(allowed).toEqual(callers)
})

test('the table above covers every verb', () => {
  expect(Object.keys(ACCESS)).toHaveLength(64)
})

test('night guests and screens may make exactly the calls that accept a pass', () => {
  const rows = Object.values<{ by: readonly Role[]; calls: readonly EndpointName[] }>(ACCESS)
  const accepting = Object.entries(ENDPOINTS).flatMap(([name, { auth }]) => (auth === 'user-or-pass' ? [name] : []))
  const callsOf = (role: Role) => rows.filter(({ by }) => by.includes(role)).flatMap(({ calls }) => calls)

  expect(callsOf('nightGuest').toSorted()).toEqual([
    'addSeed',
    'addSeedHash',
    'castBallot',
    // A claim is made by a user, with the token of the guest in its body.
    'claimNight',
    'findSeedHashes',
    'findVote',
    'getNightAsGuest',
    'listNightAvailability',
    'nightEvents',
    'removeGuest',
    'vetoCard',
  ])
  expect(callsOf('screen').toSorted()).toEqual([
    'endScreen',
    'findVote',
    'getNightAsGuest',
    'getNightScreen',
    'listNightAvailability',
    'nightEvents',
  ])
  expect(accepting.toSorted()).toEqual([
    'addSeed',
    'addSeedHash',
    'castBallot',
    'endScreen',
    'findSeedHashes',
    'findVote',
    'getNightAsGuest',
    'getNightScreen',
    'listNightAvailability',
    'nightEvents',
    'removeGuest',
    'vetoCard',
  ])
})
