import { LANGUAGES } from '@marquee/contract/languages'
import { describe, expect, test } from 'vitest'

import { read, repositoryFiles } from './repository.ts'
import { sources, stringsOf } from './syntax.ts'

const ALL_LOCALES = 'web/src/i18n/locales/'
const LOCALES = `${ALL_LOCALES}en/`
const AREAS = ['common', 'auth', 'watchlist', 'moviecard', 'profile']
/** Parts of the areas `auth`, `moviecard` and `watchlist` that load later. */
const FILES = [
  ...AREAS,
  'security',
  'moviecard-parts',
  'draws',
  'imports',
  'join',
  'nights',
  'notifications',
  'statistics',
  'webhooks',
]

type Texts = { [key: string]: string | Texts }

function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${prefix}${key}`] : keysOf(value, `${prefix}${key}.`),
  )
}

const strings = sources()
  .filter(({ path }) => /^web\/src\/.*\.tsx?$/u.test(path) && !/\.test\.tsx?$/u.test(path))
  .map(stringsOf)
/** Without the area that may precede a key: `auth:login.title`. */
const withoutArea = (text: string): string => text.slice(text.indexOf(':') + 1)
const literals = new Set(strings.flatMap((text) => text.literals).map(withoutArea))
/** A text that begins with a value says nothing about its key. */
const beginnings = new Set(
  strings
    .flatMap((text) => text.beginnings)
    .map(withoutArea)
    .filter((text) => text !== ''),
)

test('each language has the same files: one for each area and for each of its later parts', () => {
  const files = repositoryFiles().filter((path) => path.startsWith(ALL_LOCALES) && path.endsWith('.json'))

  const wanted = LANGUAGES.flatMap((language) => FILES.map((file) => `${ALL_LOCALES}${language}/${file}.json`))
  expect(files.toSorted()).toEqual(wanted.toSorted())
})

for (const file of FILES) {
  test(`no text of ${file}.json is unused`, () => {
    const texts = JSON.parse(read(`${LOCALES}${file}.json`)) as Texts
    const unused = keysOf(texts).filter((key) => !isUsed(key.replace(/_(?:one|other|zero)$/u, '')))

    expect(unused).toEqual([])
  })
}

/** A source has the whole key, or the part before a computed last part: `history.${verb}`. */
function isUsed(key: string): boolean {
  return literals.has(key) || beginnings.has(key.slice(0, key.lastIndexOf('.') + 1))
}

/** Forms that Intl asks for only with whole millions. Texts with such numbers take the form `other`. */
const RARE_FORMS = new Set(['fr many', 'es many', 'pt-BR many'])
const FORM = /_(?:zero|one|two|few|many|other)$/u

/** The texts of a file by key, and of texts with forms by key and form. */
function textsOf(language: string, file: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (texts: Texts, prefix: string) => {
    for (const [key, value] of Object.entries(texts)) {
      if (typeof value === 'string') found.set(`${prefix}${key}`, value)
      else add(value, `${prefix}${key}.`)
    }
  }
  add(JSON.parse(read(`${ALL_LOCALES}${language}/${file}.json`)) as Texts, '')
  return found
}

/** The keys that a translation needs: those of the English file, with the forms of the language. */
function keysFor(language: string, english: ReadonlyMap<string, string>): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const forms = pluralCategories.filter((form) => !RARE_FORMS.has(`${language} ${form}`))
  return [...english.keys()].flatMap((key) => {
    if (key.endsWith('_other')) return forms.map((form) => key.replace(FORM, `_${form}`))
    if (key.endsWith('_zero')) return forms.includes('zero') ? [] : [key]
    return key.endsWith('_one') ? [] : [key]
  })
}

const placeholdersOf = (text = ''): string[] => [...new Set(text.match(/\{\{\w+\}\}/gu))].toSorted()

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the texts in %s', (language) => {
  test.each(FILES)('%s.json has the keys of the English file, in the forms of the language', (file) => {
    const keys = [...textsOf(language, file).keys()]

    expect(keys.toSorted()).toEqual(keysFor(language, textsOf('en', file)).toSorted())
  })

  test.each(FILES)('%s.json has the placeholders of the English file', (file) => {
    const english = textsOf('en', file)
    const wrong = [...textsOf(language, file)].flatMap(([key, text]) => {
      const wanted = placeholdersOf(english.get(key) ?? english.get(key.replace(FORM, '_other')))
      const own = placeholdersOf(text)
      // A form for a single number may have a word in place of the number.
      const isRight = FORM.test(key)
        ? own.every((name) => wanted.includes(name)) &&
          wanted.every((name) => name === '{{count}}' || own.includes(name))
        : own.join() === wanted.join()
      return isRight ? [] : [`${key}: ${text}`]
    })

    expect(wrong).toEqual([])
  })
})
