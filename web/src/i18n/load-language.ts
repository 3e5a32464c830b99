import { isRightToLeft, language } from './language.ts'
import { translateServerMessages } from './server-message.ts'
import { type Area, addTranslation, type Tree } from './texts.ts'

/** Areas of more than one file: the area of each file that is not named like its area. */
const AREAS: Readonly<Record<string, Area>> = {
  account: 'profile',
  'auth-screens': 'auth',
  club: 'watchlist',
  draws: 'moviecard',
  external: 'auth',
  imports: 'watchlist',
  join: 'watchlist',
  'media-servers': 'watchlist',
  'moviecard-parts': 'moviecard',
  nights: 'watchlist',
  outbox: 'watchlist',
  notifications: 'watchlist',
  security: 'auth',
  setup: 'auth',
  statistics: 'watchlist',
  webhooks: 'watchlist',
  where: 'moviecard',
}

const LANGUAGES = import.meta.glob<Readonly<Record<string, Tree>>>('./locales/*.ts', { import: 'texts' })

/** Loads all texts of the page's language. English is part of the screens. Without a connection, the page stays English. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language
  document.documentElement.dir = isRightToLeft ? 'rtl' : 'ltr'
  const load = LANGUAGES[`./locales/${language.toLowerCase()}.ts`]
  if (load === undefined) return
  const [files, { messagesIn }] = await Promise.all([load(), import('./message-patterns.ts')])
  translateServerMessages(messagesIn(files[`./${language}/problems.json`] ?? {}))
  addTranslation(
    Object.entries(files).map(([path, tree]) => {
      const name = path.slice(`./${language}/`.length, -'.json'.length)
      return { area: AREAS[name] ?? (name as Area), tree }
    }),
  )
}
