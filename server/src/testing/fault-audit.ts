import { auditMails, type MailFindings, NO_MAIL_AMISS } from './audit-mails.ts'
import { auditWrites, type Findings, NOTHING } from './audit-writes.ts'
import type { MailServer } from './mail-server.ts'
import { startWriteLoad, type WriteLoad } from './write-load.ts'

/** What an audit says where everything that was acknowledged is there, once. */
export const ALL_IS_WELL: Findings & { mails: MailFindings } = { ...NOTHING, mails: NO_MAIL_AMISS }

type Given = { url: string; token: string; watchlistId: string; smtp: MailServer; picture?: string; restMs?: number }

/** Lets people write to this watchlist and invite Ben; `audit` stops them and says what is missing or twice. */
export function startAuditedLoad({ smtp, ...place }: Given): WriteLoad & {
  audit: (kills?: readonly Date[]) => Promise<Findings & { mails: MailFindings }>
} {
  const since = new Date()
  const load = startWriteLoad({ ...place, invitee: 'ben' })
  return {
    ...load,
    audit: async (kills = []) => {
      await load.stop()
      const written = load.acknowledged
      const mails = await auditMails(smtp, { to: 'ben@example.org', written, kills, since })
      return { ...(await auditWrites(place, written)), mails }
    },
  }
}
