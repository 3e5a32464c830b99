import type { KeyObject } from 'node:crypto'

import { NOTIFICATION_GROUPS, type NotificationGroup } from '@marquee/contract/entities/notification-settings'
import { Problem } from '@marquee/contract/problems'
import type { Random } from '@marquee/platform/runtime/random'
import { openJson, sealForUrl } from '@marquee/platform/sealed/sealed-json'

import { findLanguage, type User } from '../../club/people/service.ts'
import { changeSettings, getSettings, type SettingsPorts } from './settings.ts'

/** What a mail is about: one group, or all that a user gets daily. */
export type MailTopic = NotificationGroup | 'daily'

type Reader = Pick<User, 'userId' | 'username'>
type KeyPorts = {
  /** The keys of the links in mails that need no sign-in: the current one first, then earlier ones. */
  readonly unsubscribeKeys: readonly KeyObject[]
}
type AccountPorts = {
  readonly accounts: { readonly findUser: (username: string) => Promise<{ userId: string } | undefined> }
}

const CONTEXT = 'unsubscribe'

/** A link that turns off the mails on a topic without a sign-in. It does not expire, as long as its key is known. */
export function unsubscribeUrls({
  publicUrl,
  random,
  unsubscribeKeys,
}: KeyPorts & { readonly publicUrl: string; readonly random: Random }): (reader: Reader, topic: MailTopic) => string {
  return ({ userId, username }, topic) =>
    `${publicUrl}/unsubscribe/${sealForUrl(unsubscribeKeys, CONTEXT, { userId, username, topic }, random)}`
}

/** The language of the user of a link. @throws {Problem} NOT_FOUND. */
export async function languageOfLink({ database, ...keys }: SettingsPorts & KeyPorts, token: string) {
  return await findLanguage(database.read, readToken(keys, token).reader.userId)
}

/** Turns off the mails that a link is about. @throws {Problem} NOT_FOUND. */
export async function unsubscribe(ports: SettingsPorts & KeyPorts & AccountPorts, token: string): Promise<void> {
  const { reader, topic } = readToken(ports, token)
  const account = await ports.accounts.findUser(reader.username)
  // Nothing is kept of a deleted account, and it gets no mails.
  if (account?.userId !== reader.userId) return
  const { groups } = await getSettings(ports, reader)
  const off = NOTIFICATION_GROUPS.filter(
    (group) => group === topic || (topic === 'daily' && groups[group].mail === topic),
  )
  await changeSettings(ports, reader, { groups: Object.fromEntries(off.map((group) => [group, { mail: 'off' }])) })
}

function readToken({ unsubscribeKeys }: KeyPorts, token: string): { reader: Reader; topic: MailTopic } {
  const opened = openJson(unsubscribeKeys, CONTEXT, token) as (Reader & { topic: MailTopic }) | undefined
  if (!opened) throw new Problem('NOT_FOUND')
  const { topic, ...reader } = opened
  return { reader, topic }
}
