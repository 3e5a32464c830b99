import type { Handlers } from '../../club/people/service.ts'
import {
  answerMediaClaim,
  beginQuickConnect,
  claimMediaAccount,
  finishQuickConnect,
  linkWithPassword,
  listMediaAccounts,
} from './linking.ts'
import { makeMediaHook } from './reports.ts'
import { listMediaLinks, type MediaLinkPorts, unlinkMediaUser } from './service.ts'

/** The users of media servers whom members have linked. All calls answer 404 while media servers are switched off. */
export function mediaLinkHandlers(ports: MediaLinkPorts) {
  return {
    listMediaLinks: async ({ user, params }) => await listMediaLinks(ports, user, params.watchlistId),
    beginQuickConnect: async ({ user, params }) => await beginQuickConnect(ports, user, params),
    finishQuickConnect: async ({ user, params, body }) => ({
      link: await finishQuickConnect(ports, user, params, body.attempt),
    }),
    linkWithPassword: async ({ user, params, body }) => await linkWithPassword(ports, user, params, body),
    listMediaAccounts: async ({ user, params }) => ({ accounts: await listMediaAccounts(ports, user, params) }),
    claimMediaAccount: async ({ user, params, body }) => await claimMediaAccount(ports, user, params, body.accountId),
    answerMediaClaim: async ({ user, params, body }) => await answerMediaClaim(ports, user, params, body),
    unlinkMediaUser: async ({ user, params }) => await unlinkMediaUser(ports, user, params),
    makeMediaHook: async ({ user, params }) => await makeMediaHook(ports, user, params),
  } satisfies Partial<Handlers>
}
