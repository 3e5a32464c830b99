import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from '@playwright/test'
import PostalMime from 'postal-mime'

type Mail = { to: string; subject: string; text: string; html: string }

/** All mails in the server's outbox, oldest first. */
async function readOutbox(dataDir: string): Promise<Mail[]> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const sent = names.filter((name) => name.endsWith('.eml')).toSorted()
  return await Promise.all(
    sent.map(async (name) => {
      const mail = await PostalMime.parse(await readFile(join(folder, name)))
      const { subject = '', text = '', html = '' } = mail
      return { to: mail.to?.[0]?.address ?? '', subject, text, html }
    }),
  )
}

/** Waits for the `nth` mail (1 is the first) to this address. */
export async function readMail(dataDir: string, to: string, nth = 1): Promise<Mail> {
  let mail: Mail | undefined
  await expect
    .poll(
      async () => {
        mail = (await readOutbox(dataDir)).filter((sent) => sent.to === to)[nth - 1]
        return mail !== undefined
      },
      { message: `mail ${nth} to ${to}`, timeout: 15_000 },
    )
    .toBe(true)
  if (!mail) throw new Error(`There is no mail ${nth} to ${to}`)
  return mail
}

/** The invitation link in the `nth` mail (1 is the first). It is on its own line. */
export async function readInvitationLink(dataDir: string, to: string, nth: number): Promise<string> {
  const { text } = await readMail(dataDir, to, nth)
  const link = /^\s*(https?:\/\/\S+\/watchlists\/invitation\/accept\?token=\S+)\s*$/mu.exec(text)?.[1]
  if (link === undefined) throw new Error(`There is no invitation link in this mail:\n${text}`)
  return link
}

/** The join link in the mail that invites an address. It is on its own line. */
export async function readJoinLink(dataDir: string, to: string): Promise<string> {
  const { text } = await readMail(dataDir, to)
  const link = /^\s*(https?:\/\/\S+\/join\/\S+)\s*$/mu.exec(text)?.[1]
  if (link === undefined) throw new Error(`There is no join link in this mail:\n${text}`)
  return link
}

/** The link of the mail that confirms a sign-up. It is on its own line. */
export async function readConfirmationLink(dataDir: string, to: string): Promise<string> {
  const { text } = await readMail(dataDir, to)
  const link = /^\s*(https?:\/\/\S+\/auth\/confirm#\S+)\s*$/mu.exec(text)?.[1]
  if (link === undefined) throw new Error(`There is no confirmation link in this mail:\n${text}`)
  return link
}

/** The HTML part of the mail to this address with that subject. */
export async function readMailPage(dataDir: string, to: string, subject: string): Promise<string> {
  let html: string | undefined
  await expect
    .poll(async () => {
      html = (await readOutbox(dataDir)).find((sent) => sent.to === to && sent.subject === subject)?.html
      return html !== undefined
    })
    .toBe(true)
  return html ?? ''
}

/** The code of 6 or 8 digits in the `nth` mail that has one (1 is the first). It is on its own line. */
export async function readCode(dataDir: string, to: string, nth = 1): Promise<string> {
  let code: string | undefined
  await expect
    .poll(
      async () => {
        const mails = (await readOutbox(dataDir)).filter((sent) => sent.to === to)
        code = mails.flatMap(({ text }) => /^\s*(\d{6}|\d{8})\s*$/mu.exec(text)?.[1] ?? [])[nth - 1]
        return code !== undefined
      },
      { message: `code ${nth} to ${to}`, timeout: 15_000 },
    )
    .toBe(true)
  if (code === undefined) throw new Error(`There is no code ${nth} to ${to}`)
  return code
}

/** The code in the `nth` text message (1 is the first) to this phone. */
export async function readSmsCode(dataDir: string, to: string, nth = 1): Promise<string> {
  const folder = join(dataDir, 'outbox')
  let code: string | undefined
  await expect
    .poll(
      async () => {
        const names = (await readdir(folder)).filter((name) => name.endsWith('.sms.txt')).toSorted()
        const texts = await Promise.all(names.map(async (name) => await readFile(join(folder, name), 'utf8')))
        code = /\b\d{6}\b/u.exec(
          texts.filter((text) => text.startsWith(`To: ${to}\n`))[nth - 1]?.slice(to.length) ?? '',
        )?.[0]
        return code !== undefined
      },
      { message: `text message ${nth} to ${to}`, timeout: 15_000 },
    )
    .toBe(true)
  if (code === undefined) throw new Error(`There is no text message ${nth} to ${to}`)
  return code
}

/** Six digits that differ from this code. */
export function wrongCodeFor(code: string): string {
  return code === '271828' ? '314159' : '271828'
}
