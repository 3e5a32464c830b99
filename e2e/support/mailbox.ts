import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from '@playwright/test'
import PostalMime from 'postal-mime'

type Mail = { to: string; subject: string; text: string; html: string }

/** The files of the server's outbox whose names end like this, oldest first. */
async function listOutbox(dataDir: string, ending: string): Promise<string[]> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith(ending)).toSorted()
  return files.map((name) => join(folder, name))
}

/** The mails that were read, by file. The outbox of a worker's server grows with each journey. */
const mailsOf = new Map<string, Mail>()

/** All mails to this address, oldest first. */
async function readMails(dataDir: string, to: string): Promise<Mail[]> {
  const mails = await Promise.all(
    (await listOutbox(dataDir, '.eml')).map(async (file) => mailsOf.get(file) ?? (await readMailFile(file))),
  )
  return mails.filter((mail) => mail.to === to)
}

async function readMailFile(file: string): Promise<Mail> {
  const { to, subject = '', text = '', html = '' } = await PostalMime.parse(await readFile(file))
  const mail = { to: to?.[0]?.address ?? '', subject, text, html }
  mailsOf.set(file, mail)
  return mail
}

/** Waits until `find` finds something. */
async function waitFor<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined
  const isFound = async () => {
    found = await find()
    return found !== undefined
  }
  await expect.poll(isFound, { message: what }).toBe(true)
  if (found === undefined) throw new Error(`There is no ${what}`)
  return found
}

/** Waits for the `nth` mail (1 is the first) to this address. */
export async function readMail(dataDir: string, to: string, nth = 1): Promise<Mail> {
  return await waitFor(`mail ${nth} to ${to}`, async () => (await readMails(dataDir, to))[nth - 1])
}

/** The link on a line of its own whose path begins like this. */
function linkIn({ text }: Mail, path: string): string {
  const links = text.split('\n').map((line) => line.trim())
  const link = links.find((line) => URL.canParse(line) && line.startsWith(`${new URL(line).origin}${path}`))
  if (link === undefined) throw new Error(`There is no link to ${path} in this mail:\n${text}`)
  return link
}

/** The invitation link in the `nth` mail (1 is the first). */
export async function readInvitationLink(dataDir: string, to: string, nth: number): Promise<string> {
  return linkIn(await readMail(dataDir, to, nth), '/watchlists/invitation/accept?token=')
}

/** The join link in the mail that invites an address. */
export async function readJoinLink(dataDir: string, to: string): Promise<string> {
  return linkIn(await readMail(dataDir, to), '/join/')
}

/** The link of the mail that confirms a sign-up. */
export async function readConfirmationLink(dataDir: string, to: string): Promise<string> {
  return linkIn(await readMail(dataDir, to), '/auth/confirm#')
}

/** The HTML part of the mail to this address with that subject. */
export async function readMailPage(dataDir: string, to: string, subject: string): Promise<string> {
  const find = async () => (await readMails(dataDir, to)).find((mail) => mail.subject === subject)
  return (await waitFor(`mail to ${to} with the subject ${subject}`, find)).html
}

/** The code of 6 or 8 digits in the `nth` mail that has one (1 is the first). It is on its own line. */
export async function readCode(dataDir: string, to: string, nth = 1): Promise<string> {
  return await waitFor(`code ${nth} to ${to}`, async () => {
    const mails = await readMails(dataDir, to)
    return mails.flatMap(({ text }) => /^\s*(\d{6}|\d{8})\s*$/mu.exec(text)?.[1] ?? [])[nth - 1]
  })
}

/** The code in the `nth` text message (1 is the first) to this phone. */
export async function readSmsCode(dataDir: string, to: string, nth = 1): Promise<string> {
  return await waitFor(`text message ${nth} to ${to}`, async () => {
    const files = await listOutbox(dataDir, '.sms.txt')
    const texts = await Promise.all(files.map(async (file) => await readFile(file, 'utf8')))
    const head = `To: ${to}\n`
    const text = texts.filter((message) => message.startsWith(head))[nth - 1]
    return text && /\b\d{6}\b/u.exec(text.slice(head.length))?.[0]
  })
}

/** Six digits that differ from this code. */
export function wrongCodeFor(code: string): string {
  return code === '271828' ? '314159' : '271828'
}
