import type { KeyObject } from 'node:crypto'

import type { Night, NightAnswer } from '@marquee/contract/entities/night'
import type { Language } from '@marquee/contract/languages'
import { Problem } from '@marquee/contract/problems'
import type { Random } from '@marquee/platform/runtime/random'
import { openJson, sealForUrl } from '@marquee/platform/sealed/sealed-json'

import { findLanguage, type User } from '../../../club/people/service.ts'
import { authorizeRead, loadWatchlist } from '../../../club/watchlists/service.ts'
import { requireNight } from '../night/change.ts'
import type { NightMailPorts } from './mails.ts'
import { answerNight } from './plans.ts'
import { nightKeyOf, presentNight } from '../night/present.ts'

type Reader = Pick<User, 'userId' | 'username'>
type Link = { readonly reader: Reader; readonly nightId: string }
type KeyPorts = {
  /** The keys of the links in mails that need no sign-in: the current one first, then earlier ones. */
  readonly unsubscribeKeys: readonly KeyObject[]
}
export type AnswerPorts = NightMailPorts & KeyPorts

/** What the page behind a link shows. */
export type AnswerPage = {
  readonly night: Night
  readonly watchlistName: string
  readonly language: Language | undefined
  readonly username: string
}

const CONTEXT = 'night answer'

/** A link with which a member answers one planned night without a sign-in. */
export function answerUrls({
  publicUrl,
  random,
  unsubscribeKeys,
}: KeyPorts & { readonly publicUrl: string; readonly random: Random }): (reader: Reader, nightId: string) => string {
  return ({ userId, username }, nightId) =>
    `${publicUrl}/night-answer/${sealForUrl(unsubscribeKeys, CONTEXT, { userId, username, nightId }, random)}`
}

/** The night that a link is about. @throws {Problem} NOT_FOUND; FORBIDDEN for one who is not a member any more. */
export async function openAnswerLink(ports: AnswerPorts, token: string): Promise<AnswerPage> {
  const { reader, nightId } = await readLink(ports, token)
  const { watchlistId, id } = nightKeyOf(nightId)
  const { read } = ports.database
  await authorizeRead(read, reader, 'night.read', watchlistId)
  const row = await requireNight(read, { watchlistId, id })
  return {
    night: presentNight(row, ports.clock.now().toISOString()),
    watchlistName: (await loadWatchlist(ports, read, watchlistId)).name,
    language: await findLanguage(read, reader.userId),
    username: reader.username,
  }
}

/** Saves the answers to the times that are still proposed. @throws {Problem} as `openAnswerLink`; BAD_REQUEST. */
export async function answerByLink(
  ports: AnswerPorts,
  token: string,
  answers: ReadonlyMap<string, NightAnswer>,
): Promise<void> {
  const { reader, nightId } = await readLink(ports, token)
  for (const [startsAt, answer] of answers) await answerNight(ports, reader, nightId, { startsAt, answer })
}

async function readLink({ unsubscribeKeys, accounts }: AnswerPorts, token: string): Promise<Link> {
  const opened = openJson(unsubscribeKeys, CONTEXT, token) as (Reader & { nightId: string }) | undefined
  if (!opened) throw new Problem('NOT_FOUND')
  const { nightId, ...reader } = opened
  const account = await accounts.findUser(reader.username)
  if (account?.userId !== reader.userId) throw new Problem('NOT_FOUND')
  return { reader, nightId }
}
