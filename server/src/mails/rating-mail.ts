import type { MailMessage } from '@marquee/platform/mail/message'

import { escapeHtml } from '../html.ts'
import type { RatingMail } from '../modules/nights/service.ts'
import { oneLine, shorten } from '../one-line.ts'
import { PRODUCT_NAME } from '../product-name.ts'
import { nightMailsOff } from './night-mail.ts'

/** Composes the mail that asks a member for ratings. What members wrote is one line each, and marked. */
export function ratingMails(publicUrl: string): (mail: RatingMail) => MailMessage {
  return ({ to, watchlistId, titles, ...names }) => {
    const link = `${publicUrl}/watchlists/${watchlistId}`
    const username = oneLine(names.username)
    const intro = `You were at a movie night of "${oneLine(names.watchlistName)}". How was it?`
    const list = titles.map((title) => `> ${oneLine(title)}`)
    const call = 'Rate it here:'
    const off = nightMailsOff(publicUrl)
    return {
      to,
      subject: `How was it? "${shorten(oneLine(names.watchlistName))}"`,
      text: [`Hello ${username},`, intro, list.join('\n'), call, link, off, PRODUCT_NAME].join('\n\n') + '\n',
      html: [
        '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5">',
        `<p>Hello ${escapeHtml(username)},</p>`,
        `<p>${escapeHtml(intro)}</p>`,
        `<p>${list.map(escapeHtml).join('<br>')}</p>`,
        `<p>${escapeHtml(call)} <a href="${escapeHtml(link)}">Watchlist</a></p>`,
        `<p>${escapeHtml(off)}</p>`,
        `<p>${escapeHtml(PRODUCT_NAME)}</p>`,
        '</body></html>\n',
      ].join('\n'),
    }
  }
}
