import { INVITATION_VALID_DAYS } from '@marquee/contract/limits'
import type { MailMessage } from '@marquee/platform/mail/message'

import { escapeHtml } from '../html.ts'
import { PRODUCT_NAME } from '../product-name.ts'
import { oneLine, shorten } from '../one-line.ts'

type Invitation = { to: string; username: string; invitedBy: string; watchlistName: string; token: string }

/**
 * Composes the mail that invites a user. In its text part the link is on a line of its own. Names, which users choose, are
 * one line each, so that none can add a line.
 */
export function invitationMails(publicUrl: string): (invitation: Invitation) => MailMessage {
  return ({ to, token, ...names }) => {
    const link = `${publicUrl}/watchlists/invitation/accept?token=${token}`
    const username = oneLine(names.username)
    const invitedBy = oneLine(names.invitedBy)
    const watchlistName = oneLine(names.watchlistName)
    const intro = `${invitedBy} invites you to the watchlist "${watchlistName}".`
    const outro = `The link is for you alone and valid for ${INVITATION_VALID_DAYS} days. If you do not know ${invitedBy}, you can ignore this mail.`
    return {
      to,
      subject: `${shorten(invitedBy)} invites you to "${shorten(watchlistName)}" on ${PRODUCT_NAME}`,
      text: [`Hello ${username},`, `${intro} To join, open:`, link, outro, PRODUCT_NAME].join('\n\n') + '\n',
      html: [
        '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5">',
        `<p>Hello ${escapeHtml(username)},</p>`,
        `<p>${escapeHtml(intro)}</p>`,
        `<p><a href="${escapeHtml(link)}">Join the watchlist</a></p>`,
        `<p>${escapeHtml(outro)}</p>`,
        `<p>${escapeHtml(PRODUCT_NAME)}</p>`,
        '</body></html>\n',
      ].join('\n'),
    }
  }
}
