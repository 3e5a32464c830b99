import type { MailMessage } from '@marquee/platform/mail/message'

import { escapeHtml } from '../html.ts'
import type { NightMail } from '../modules/nights/service.ts'
import { PRODUCT_NAME } from '../product-name.ts'
import { oneLine, shorten } from '../one-line.ts'

const SUBJECTS: Record<NightMail['news'], string> = {
  planned: 'Movie night',
  changed: 'Movie night changed',
  cancelled: 'Movie night cancelled',
}

const INTROS: Record<NightMail['news'], (by: string, watchlistName: string) => string> = {
  planned: (by, name) => `${by} plans a movie night for "${name}".`,
  changed: (by, name) => `${by} changed the movie night for "${name}".`,
  cancelled: (by, name) => `${by} cancelled the movie night for "${name}".`,
}

/** How to turn off the mails about nights. */
export function nightMailsOff(publicUrl: string): string {
  return `You can turn off mails about movie nights in your profile: ${publicUrl}/profile/edit`
}

/**
 * Composes the mail to a member about a night. What members wrote is one line each, and lines of the note are marked, so
 * that none looks like a text of the product.
 */
export function nightMails(publicUrl: string): (mail: NightMail) => MailMessage {
  return ({ to, night, news, calendar, ...names }) => {
    const link = `${publicUrl}/watchlists/${night.watchlistId}/night`
    const [username, by, watchlistName] = [names.username, names.by, names.watchlistName].map(oneLine) as [
      string,
      string,
      string,
    ]
    const intro = INTROS[news](by, watchlistName)
    const facts = [
      ...night.times.map(({ localTime }) => timeText(localTime, night.timeZone ?? 'UTC')),
      ...(night.place === null ? [] : [`Place: ${oneLine(night.place)}`]),
      ...(night.maxRuntimeMinutes === null ? [] : [`Longest movie: ${night.maxRuntimeMinutes} minutes`]),
      ...(night.note === null ? [] : night.note.split('\n').map((line) => `> ${oneLine(line)}`)),
    ]
    const ask = night.times.length > 1 ? 'Which of these times suit you? Answer here:' : 'Are you in? Answer here:'
    const off = nightMailsOff(publicUrl)
    const call = news === 'cancelled' ? 'All movie nights:' : ask
    return {
      to,
      subject: `${SUBJECTS[news]}: "${shorten(watchlistName)}"`,
      text: [`Hello ${username},`, intro, facts.join('\n'), call, link, off, PRODUCT_NAME].join('\n\n') + '\n',
      html: [
        '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5">',
        `<p>Hello ${escapeHtml(username)},</p>`,
        `<p>${escapeHtml(intro)}</p>`,
        `<p>${facts.map(escapeHtml).join('<br>')}</p>`,
        `<p>${escapeHtml(call)} <a href="${escapeHtml(link)}">Movie night</a></p>`,
        `<p>${escapeHtml(off)}</p>`,
        `<p>${escapeHtml(PRODUCT_NAME)}</p>`,
        '</body></html>\n',
      ].join('\n'),
      ...(calendar && { calendar }),
    }
  }
}

/** `Friday, 27 November 2026 at 20:00`. */
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })

function timeText(localTime: string, zone: string): string {
  return `${TIME.format(new Date(`${localTime}Z`))} (${zone})`
}
