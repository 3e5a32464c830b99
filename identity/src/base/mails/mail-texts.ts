import { join } from 'node:path'

import type { AnyDb } from '@marquee/platform/database/database'
import { localesIn, type Texts } from '@marquee/platform/texts/texts'

import type english from './locales/en.json'

export type MailTexts = Texts<typeof english>

const locales = localesIn<typeof english>(join(import.meta.dirname, 'locales'))

/** The texts in the language that the user has chosen, otherwise in the one that the request asks for. */
export async function mailTextsOf(
  pool: {
    readonly acceptLanguage: string
    readonly languageOf: (db: AnyDb, sub: string) => Promise<string | undefined>
  },
  db: AnyDb,
  sub: string,
): Promise<MailTexts> {
  return locales.of((await pool.languageOf(db, sub)) ?? locales.wanted(pool.acceptLanguage))
}
