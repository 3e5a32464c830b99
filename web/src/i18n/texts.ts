import auth from './locales/en/auth.json'
import common from './locales/en/common.json'
import type draws from './locales/en/draws.json'
import type imports from './locales/en/imports.json'
import type join from './locales/en/join.json'
import type webhooks from './locales/en/webhooks.json'
import type moviecard from './locales/en/moviecard.json'
import type moviecardParts from './locales/en/moviecard-parts.json'
import type nights from './locales/en/nights.json'
import type notifications from './locales/en/notifications.json'
import type profile from './locales/en/profile.json'
import type security from './locales/en/security.json'
import type statistics from './locales/en/statistics.json'
import type watchlist from './locales/en/watchlist.json'

/** The five areas of texts, in English. */
type Texts = {
  common: typeof common
  auth: typeof auth & typeof security
  watchlist: typeof watchlist &
    typeof imports &
    typeof join &
    typeof nights &
    typeof notifications &
    typeof statistics &
    typeof webhooks
  moviecard: typeof moviecard & typeof moviecardParts & typeof draws
  profile: typeof profile
}
type Area = keyof Texts

type WithoutPlural<K extends string> = K extends `${infer Name}_${'zero' | 'one' | 'other'}` ? Name : K

type KeyIn<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutPlural<K> : `${K}.${KeyIn<T[K]>}`
}[keyof T & string]

/** A text of an area, or one of `common` from any area. A key that no file has does not compile. */
export type TextKey<A extends Area> = KeyIn<Texts[A]> | `common:${KeyIn<Texts['common']>}`

type Values = Readonly<Record<string, string | number | undefined>>
type Translation<A extends Area> = { t: (key: TextKey<A>, values?: Values) => string }

type Tree = { readonly [key: string]: string | Tree }

const texts = new Map<string, string>()

/** Makes texts of an area available. Screens add their own, so that no other screen loads them. */
export function addTexts(area: Area, tree: Tree): void {
  addTree(`${area}:`, tree)
}

function addTree(prefix: string, tree: Tree): void {
  for (const [key, text] of Object.entries(tree)) {
    if (typeof text === 'string') texts.set(`${prefix}${key}`, text)
    else addTree(`${prefix}${key}.`, text)
  }
}

addTexts('common', common)
addTexts('auth', auth)

let plurals: Intl.PluralRules | undefined

/** The text for a number of things, such as `cards_one`. */
function pluralText(key: string, count: Values[string]): string | undefined {
  if (typeof count !== 'number') return undefined
  plurals ??= new Intl.PluralRules('en')
  const zero = count === 0 ? texts.get(`${key}_zero`) : undefined
  return zero ?? texts.get(`${key}_${plurals.select(count)}`)
}

function translationOf<A extends Area>(area: A): Translation<A> {
  return {
    t: (key, values = {}) => {
      const fullKey = key.startsWith('common:') ? key : `${area}:${key}`
      const text = pluralText(fullKey, values['count']) ?? texts.get(fullKey) ?? key
      return text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name] ?? ''))
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
