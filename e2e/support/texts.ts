/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LOCALES = join(import.meta.dirname, '../../web/src/i18n/locales')

type Tree = { [key: string]: string | Tree }
/** Returns the text of a key, such as `nights:night.plan`, with these values in its placeholders. */
export type Translate = (key: string, values?: Readonly<Record<string, string>>) => string

/** All texts of the web app in a language, by key. */
export function textsIn(language: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (tree: Tree, prefix: string) => {
    for (const [key, value] of Object.entries(tree)) {
      if (typeof value === 'string') found.set(`${prefix}${key}`, value)
      else add(value, `${prefix}${key}.`)
    }
  }
  for (const file of globSync('*.json', { cwd: join(LOCALES, language) })) {
    add(JSON.parse(readFileSync(join(LOCALES, language, file), 'utf8')) as Tree, `${file.slice(0, -'.json'.length)}:`)
  }
  return found
}

export function translator(language: string): Translate {
  const texts = textsIn(language)
  return (key, values = {}) => {
    const text = texts.get(key)
    if (text === undefined) throw new Error(`There is no text ${key} in ${language}`)
    // Between Arabic words, a value keeps its own direction.
    const shown = (value: string) => (language === 'ar' ? `\u2068${value}\u2069` : value)
    return Object.entries(values).reduce(
      (filled, [name, value]) => filled.replaceAll(`{{${name}}}`, shown(value)),
      text,
    )
  }
}
