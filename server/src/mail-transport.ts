import { join } from 'node:path'

import { folderTransport } from '@marquee/platform/mail/folder-transport'
import type { MailTransport } from '@marquee/platform/mail/message'
import { smtpTransport } from '@marquee/platform/mail/smtp-transport'

import type { Settings } from './settings.ts'

const LOCAL_SENDER = 'Marquee <marquee@localhost>'

/** Mail goes to the SMTP server where one is set; otherwise into `DATA_DIR/outbox` and onto the terminal. */
export function mailTransport(settings: Settings, print: (text: string) => void): MailTransport {
  const from = settings.MAIL_FROM ?? LOCAL_SENDER
  if (settings.SMTP_URL !== undefined) return smtpTransport({ url: settings.SMTP_URL, from })
  return folderTransport({ folder: join(settings.DATA_DIR, 'outbox'), from, print })
}
