import auth from './locales/en/auth.json'
import common from './locales/en/common.json'
import type account from './locales/en/account.json'
import type authScreens from './locales/en/auth-screens.json'
import type draws from './locales/en/draws.json'
import type external from './locales/en/external.json'
import type imports from './locales/en/imports.json'
import type join from './locales/en/join.json'
import type mediaServers from './locales/en/media-servers.json'
import type webhooks from './locales/en/webhooks.json'
import type moviecard from './locales/en/moviecard.json'
import type moviecardParts from './locales/en/moviecard-parts.json'
import type club from './locales/en/club.json'
import type nights from './locales/en/nights.json'
import type outbox from './locales/en/outbox.json'
import type notifications from './locales/en/notifications.json'
import type profile from './locales/en/profile.json'
import type security from './locales/en/security.json'
import type setup from './locales/en/setup.json'
import type statistics from './locales/en/statistics.json'
import type watchlist from './locales/en/watchlist.json'
import type where from './locales/en/where.json'
import { isRightToLeft, language } from './language.ts'

/** The five areas of texts, in English. */
type Texts = {
  common: typeof common
  auth: typeof auth & typeof authScreens & typeof external & typeof security & typeof setup
  watchlist: typeof watchlist &
    typeof imports &
    typeof join &
    typeof club &
    typeof mediaServers &
    typeof nights &
    typeof notifications &
    typeof outbox &
    typeof statistics &
    typeof webhooks
  moviecard: typeof moviecard & typeof moviecardParts & typeof draws & typeof where
  profile: typeof profile & typeof account
}
export type Area = keyof Texts

type WithoutPlural<K extends string> = K extends `${infer Name}_${'zero' | 'one' | 'other'}` ? Name : K

type KeyIn<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutPlural<K> : `${K}.${KeyIn<T[K]>}`
}[keyof T & string]

/** A text of an area, or one of `common` from any area. A key that no file has does not compile. */
export type TextKey<A extends Area> = KeyIn<Texts[A]> | `common:${KeyIn<Texts['common']>}`

type Values = Readonly<Record<string, string | number | undefined>>
type Translation<A extends Area> = { t: (key: TextKey<A>, values?: Values) => string }

export type Tree = { readonly [key: string]: string | Tree }

/** The texts of one language by area and key, and which of its forms a number takes. */
type Source = { readonly texts: Map<string, string>; plurals?: Intl.PluralRules }

const english: Source = { texts: new Map() }
/** The texts of the page's language. Without its own text, a key has the English one. */
const sources: Source[] = [english]

/** Makes English texts of an area available. Screens add their own, so that no other screen loads them. */
export function addTexts(area: Area, tree: Tree): void {
  addTree(english, `${area}:`, tree)
}

/** Makes the texts of the page's language available. Called before the first screen is shown. */
export function addTranslation(files: readonly { area: Area; tree: Tree }[]): void {
  const translation: Source = { texts: new Map() }
  for (const { area, tree } of files) addTree(translation, `${area}:`, tree)
  sources.unshift(translation)
}

function addTree(source: Source, prefix: string, tree: Tree): void {
  for (const [key, text] of Object.entries(tree)) {
    if (typeof text === 'string') source.texts.set(`${prefix}${key}`, text)
    else addTree(source, `${prefix}${key}.`, text)
  }
}

addTexts('common', common)
addTexts('auth', auth)

/** The text for a number of things, such as `cards_one`. */
function pluralText(source: Source, key: string, count: number): string | undefined {
  const zero = count === 0 ? source.texts.get(`${key}_zero`) : undefined
  source.plurals ??= new Intl.PluralRules(source === english ? 'en' : language)
  return zero ?? source.texts.get(`${key}_${source.plurals.select(count)}`) ?? source.texts.get(`${key}_other`)
}

function textOf(key: string, count: Values[string]): string {
  for (const source of sources) {
    const text = (typeof count === 'number' ? pluralText(source, key, count) : undefined) ?? source.texts.get(key)
    if (text !== undefined) return text
  }
  return key
}

/** In a text from right to left, a name or a date keeps its own direction. */
function isolated(value: string | number): string {
  return typeof value === 'string' && isRightToLeft ? `\u2068${value}\u2069` : String(value)
}

/** The texts of an area, outside of components. */
export function translationOf<A extends Area>(area: A): Translation<A> {
  return {
    t: (key, values = {}) => {
      const fullKey = key.startsWith('common:') ? key : `${area}:${key}`
      return textOf(fullKey, values['count']).replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) =>
        isolated(values[name] ?? ''),
      )
    },
  }
}

const translations: { [A in Area]: Translation<A> } = {
  common: translationOf('common'),
  auth: translationOf('auth'),
  watchlist: translationOf('watchlist'),
  moviecard: translationOf('moviecard'),
  profile: translationOf('profile'),
}

/** `t('key', { name })` gives a text of the area, with `{{name}}` filled in. */
export function useTranslation(): Translation<'common'>
export function useTranslation<A extends Area>(area: A): Translation<A>
export function useTranslation(area: Area = 'common'): unknown {
  return translations[area]
}
