import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'

import type { EventKind } from '../events/event-kinds.ts'
import type { MailTexts } from './mail-texts.ts'

/**
 * The changes that users are notified of, and what the mail advises if they did not make them. They cannot undo the
 * actions of operators.
 */
const NOTICES = {
  'password-changed': 'owner',
  'password-reset': 'owner',
  'temporary-password-replaced': 'owner',
  'email-changed': 'owner',
  'phone-changed': 'owner',
  'phone-removed': 'owner',
  'second-factor-on': 'owner',
  'second-factor-off': 'owner',
  'app-set-up': 'owner',
  'recovery-codes-made': 'owner',
  'recovery-code-used': 'owner',
  'passkey-added': 'owner',
  'personal-token-made': 'owner',
  'provider-linked': 'owner',
  'provider-unlinked': 'owner',
  'passkey-removed': 'owner',
  'session-stolen': 'owner',
  'admin-made-account': 'operators',
  'admin-confirmed-account': 'operators',
  'admin-set-password': 'operators',
  'admin-required-reset': 'operators',
  'admin-made-reset-link': 'operators',
  'admin-disabled-account': 'operators',
  'admin-enabled-account': 'operators',
  'account-deleted': 'deleted',
} as const satisfies Partial<Record<EventKind | 'account-deleted', 'owner' | 'operators' | 'deleted'>>

type Notice = keyof typeof NOTICES

/** Whether the user is notified by mail. */
export function isNoticed(kind: EventKind): kind is Notice & EventKind {
  return Object.hasOwn(NOTICES, kind)
}

/** The mail about a change. It has no link, so that users do not learn to follow one. @param at ISO time */
export function noticeMail(
  texts: MailTexts,
  {
    kind,
    to,
    at,
    client,
    productName: product,
  }: {
    kind: Notice
    to: string
    at: string
    client: string
    productName: string
  },
): MailMessage {
  const { t } = texts
  const time = texts.time(at.slice(0, 'yyyy-mm-ddThh:mm'.length), 'long')
  return writeMail({
    to,
    subject: t(`notice.${kind}.subject`, { product }),
    texts,
    from: product,
    parts: [
      { paragraph: t(`notice.${kind}.text`) },
      { lines: [whenAndWhere(texts, time, client)] },
      { paragraph: t(`advice.${NOTICES[kind]}`) },
    ],
  })
}

/** The texts have the name of a program in its parts, because a name in Latin letters would turn Arabic words around. */
function whenAndWhere({ t }: MailTexts, time: string, client: string): string {
  const [browser = '', system] = client.split(' on ')
  if (client === '') return t('when', { time })
  return system === undefined ? t('whenAndWhere', { time, client }) : t('whenAndProgram', { time, browser, system })
}
