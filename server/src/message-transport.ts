import { join } from 'node:path'

import { folderTransport } from '@marquee/platform/mail/folder-transport'
import type { MailTransport } from '@marquee/platform/mail/message'
import { smtpTransport } from '@marquee/platform/mail/smtp-transport'
import { folderSms } from '@marquee/platform/sms/folder-sms'
import { mailAndSms, type SmsTransport } from '@marquee/platform/sms/sms-message'
import { webhookSms } from '@marquee/platform/sms/webhook-sms'

import type { Settings } from './settings/settings.ts'

const LOCAL_SENDER = 'Marquee <marquee@localhost>'

/**
 * Sends mail through the SMTP server and text messages through the SMS gateway, if they are set; otherwise writes them to
 * `DATA_DIR/outbox` and the terminal.
 */
export function messageTransport(settings: Settings, print: (text: string) => void): MailTransport {
  return mailAndSms(mailTransport(settings, print), smsTransport(settings, print))
}

function mailTransport(settings: Settings, print: (text: string) => void): MailTransport {
  const from = settings.MAIL_FROM ?? LOCAL_SENDER
  if (settings.SMTP_URL !== undefined) return smtpTransport({ url: settings.SMTP_URL, from })
  return folderTransport({ folder: join(settings.DATA_DIR, 'outbox'), from, print })
}

function smsTransport(settings: Settings, print: (text: string) => void): SmsTransport {
  if (settings.SMS_WEBHOOK_URL !== undefined) return webhookSms({ url: settings.SMS_WEBHOOK_URL })
  return folderSms({ folder: join(settings.DATA_DIR, 'outbox'), print })
}
