import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { oneLine } from './one-line.ts'

type Tree = { readonly [key: string]: string | Tree }

type WithoutForm<K extends string> = K extends `${infer Name}_${'zero' | 'one' | 'other'}` ? Name : K
type KeyIn<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutForm<K> : `${K}.${KeyIn<T[K]>}`
}[keyof T & string]

type Values = Readonly<Record<string, string | number>>

/** The texts of one language. `English` is the type of the English file. */
export type Texts<English = unknown> = {
  /** A BCP 47 tag. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /**
   * A text with its placeholders filled in; `count` chooses its form. A value is one line, so that a name cannot look like
   * a line of the product. In a text from right to left it keeps its own direction.
   */
  readonly t: (key: KeyIn<English>, values?: Values) => string
  /** A local time such as `2026-11-27T20:00`, with the day of the week if the style is `full`. */
  readonly time: (localTime: string, style: 'full' | 'long') => string
}

export type Locales<English> = {
  /** The texts of a language; English if there is no such language. */
  readonly of: (language: string | null | undefined) => Texts<English>
  /** The language that fits an `Accept-Language` header best; English if none does. */
  readonly wanted: (acceptLanguage: string | undefined) => string
}

const ENGLISH = 'en'
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar'])
/** English dates do not depend on the country that way: `27 November 2026 at 20:00`. */
const DATE_LOCALES: Readonly<Record<string, string>> = { en: 'en-GB' }
/** Mark a part of a text that has its own direction. */
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069']

/**
 * The texts in a folder with one JSON file per language. A file is read synchronously when its language is first needed,
 * because texts are needed inside transactions, which await nothing else.
 */
export function localesIn<English>(folder: string): Locales<English> {
  const languages = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
  const known = new Map<string, Texts<English>>()
  const read = (language: string): Source => ({
    texts: flat(JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Tree),
    plurals: new Intl.PluralRules(language),
  })
  let english: Source | undefined

  const of = (wanted: string | null | undefined): Texts<English> => {
    const language = languages.find((tag) => tag === wanted) ?? ENGLISH
    const found = known.get(language)
    if (found) return found
    english ??= read(ENGLISH)
    const texts = textsOf<English>(language, language === ENGLISH ? [english] : [read(language), english])
    known.set(language, texts)
    return texts
  }
  return { of, wanted: (acceptLanguage) => wantedOf(acceptLanguage, languages) }
}

/** The texts of a language by key, and which of its forms a number takes. */
type Source = { readonly texts: ReadonlyMap<string, string>; readonly plurals: Intl.PluralRules }

function flat(tree: Tree, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, text]) =>
      typeof text === 'string' ? [[`${prefix}${key}`, text] as const] : [...flat(text, `${prefix}${key}.`)],
    ),
  )
}

function textsOf<English>(language: string, sources: readonly Source[]): Texts<English> {
  const direction = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr'
  const numbers = new Intl.NumberFormat(language)
  const valueOf = (value: string | number = ''): string => {
    if (typeof value === 'number') return numbers.format(value)
    return direction === 'rtl' ? ISOLATE + oneLine(value) + END_OF_ISOLATE : oneLine(value)
  }
  const formOf = (key: string, count: Values[string] | undefined): string => {
    for (const { texts, plurals } of sources) {
      const form = typeof count === 'number' ? texts.get(`${key}_${plurals.select(count)}`) : undefined
      const text = form ?? texts.get(key)
      if (text !== undefined) return text
    }
    return key
  }
  const timeOf = (dateStyle: 'full' | 'long') =>
    new Intl.DateTimeFormat(DATE_LOCALES[language] ?? language, { dateStyle, timeStyle: 'short', timeZone: 'UTC' })
  const times = { full: timeOf('full'), long: timeOf('long') }
  return {
    language,
    direction,
    t: (key, values = {}) =>
      formOf(key, values['count']).replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => valueOf(values[name])),
    time: (localTime, style) => times[style].format(new Date(`${localTime}Z`)),
  }
}

/** A region counts only if there are texts for it: `pt-PT` gets `pt-BR`. */
function wantedOf(acceptLanguage: string | undefined, languages: readonly string[]): string {
  const offers = (acceptLanguage ?? '').slice(0, LONGEST_HEADER).split(',').map(offerOf)
  for (const { tag } of offers.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)) {
    const found =
      languages.find((known) => known.toLowerCase() === tag) ??
      languages.find((known) => primaryOf(known) === primaryOf(tag))
    if (found !== undefined) return found
  }
  return ENGLISH
}

const LONGEST_HEADER = 500

/** One language of the header: `de-CH;q=0.8`. */
function offerOf(part: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
  const weight = parameters.find((text) => text.startsWith('q='))?.slice('q='.length)
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 }
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}
