import { LANGUAGES } from '@marquee/contract/languages'
import { describe, expect, test } from 'vitest'

import { read, repositoryFiles } from './repository.ts'
import { sources, stringsOf } from './syntax.ts'

const WEB = 'web/src/i18n/locales/'
const AREAS = ['common', 'auth', 'watchlist', 'moviecard', 'profile']
/** The texts of the web app: the areas, and parts of the areas `auth`, `moviecard`, `profile` and `watchlist` that load later. */
const WEB_FILES = [
  ...AREAS,
  'account',
  'auth-screens',
  'external',
  'security',
  'moviecard-parts',
  'draws',
  'imports',
  'join',
  'club',
  'media-servers',
  'nights',
  'notifications',
  'problems',
  'setup',
  'outbox',
  'statistics',
  'webhooks',
  'where',
]

const WEB_SOURCES = /^web\/src\/.*\.tsx?$/u

/** Texts in six languages: `path` is the file of a language, `users` are the sources with its keys. */
type Catalogue = { name: string; path: (language: string) => string; users: RegExp }

const CATALOGUES: readonly Catalogue[] = [
  ...WEB_FILES.map((file) => ({
    name: `${file}.json of the web app`,
    path: (language: string) => `${WEB}${language}/${file}.json`,
    users: WEB_SOURCES,
  })),
  {
    name: 'the texts of the server',
    path: (language) => `server/src/texts/locales/${language}.json`,
    users: /^server\/src\/.*\.ts$/u,
  },
  {
    name: 'the mails of the user pool',
    path: (language) => `identity/src/base/mails/locales/${language}.json`,
    users: /^identity\/src\/.*\.ts$/u,
  },
]

type Texts = { [key: string]: string | Texts }

/** The texts of a file by key, and of texts with forms by key and form. */
function textsOf({ path }: Catalogue, language: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (texts: Texts, prefix: string) => {
    for (const [key, value] of Object.entries(texts)) {
      if (typeof value === 'string') found.set(`${prefix}${key}`, value)
      else add(value, `${prefix}${key}.`)
    }
  }
  add(JSON.parse(read(path(language))) as Texts, '')
  return found
}

test('each language has the same files', () => {
  const files = repositoryFiles().filter((path) => /\/locales\/.*\.json$/u.test(path))

  const wanted = LANGUAGES.flatMap((language) => CATALOGUES.map(({ path }) => path(language)))
  expect(files.toSorted()).toEqual(wanted.toSorted())
})

test('no text file has a duplicate key', () => {
  // A parser takes the last one, and the text of the other is lost.
  const twice = LANGUAGES.flatMap((language) => CATALOGUES.map(({ path }) => path(language))).filter((path) => {
    const text = read(path)
    return JSON.stringify(JSON.parse(text), undefined, 2) !== text.trimEnd()
  })

  expect(twice).toEqual([])
})

/** Finds the keys that the sources have, whole or as a template such as `history.${verb}`. */
function usage(users: RegExp): (key: string) => boolean {
  const strings = sources()
    .filter(({ path }) => users.test(path) && !/\.test\.tsx?$/u.test(path))
    .map(stringsOf)
  // Without the area that may precede a key: `auth:login.title`.
  const withoutArea = (text = ''): string => text.slice(text.indexOf(':') + 1)
  const literals = new Set(strings.flatMap((text) => text.literals).map(withoutArea))
  const templates = strings
    .flatMap((text) => text.templates)
    .map(([first, ...rest]) => [withoutArea(first), ...rest])
    // A template that begins with a value says nothing about its key.
    .filter(([first, ...rest]) => first !== '' && /^[\w.-]*$/u.test([first, ...rest].join('')))
    .map((parts) => parts.map((part) => part.replaceAll('.', String.raw`\.`)).join('[^.]+'))
    .map((pattern) => new RegExp(`^${pattern}$`, 'u'))
  return (key) => literals.has(key) || templates.some((template) => template.test(key))
}

const isUsed = new Map([...Map.groupBy(CATALOGUES, ({ users }) => users).keys()].map((users) => [users, usage(users)]))

/** Messages of the server are found by their English text: `server-messages.test.ts`. */
const BY_KEY = CATALOGUES.filter(({ path }) => path('en') !== `${WEB}en/problems.json`)

test.each(BY_KEY)('no text of $name is unused', (catalogue) => {
  const keys = [...textsOf(catalogue, 'en').keys()].map((key) => key.replace(/_(?:one|other|zero)$/u, ''))

  expect(keys.filter((key) => !isUsed.get(catalogue.users)?.(key))).toEqual([])
})

/** Forms that Intl asks for only with whole millions. Texts with such numbers take the form `other`. */
const RARE_FORMS = new Set(['fr many', 'es many', 'pt-BR many'])
const FORM = /_(?:zero|one|two|few|many|other)$/u

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

/** Texts of a place in a row, such as the second page of three. */
const PLACES = /^\{\{(?:page|place)\}\} of /u

test.each(CATALOGUES)('a text like "1 of 4" in $name takes its plural form from the first number', (catalogue) => {
  const wrong = [...textsOf(catalogue, 'en')].filter(
    ([key, text]) =>
      /\} of \{\{count\}/u.test(text) && !PLACES.test(text) && (FORM.test(key) || !text.includes('{{all}}')),
  )

  expect(wrong).toEqual([])
})

const placeholdersOf = (text = ''): string[] => [...new Set(text.match(/\{\{\w+\}\}/gu))].toSorted()

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the texts in %s', (language) => {
  test.each(CATALOGUES)('$name has the keys of the English file, in the plural forms of the language', (catalogue) => {
    const keys = [...textsOf(catalogue, language).keys()]

    expect(keys.toSorted()).toEqual(keysFor(language, textsOf(catalogue, 'en')).toSorted())
  })

  test.each(CATALOGUES)('$name has the placeholders of the English file', (catalogue) => {
    const english = textsOf(catalogue, 'en')
    const wrong = [...textsOf(catalogue, language)].flatMap(([key, text]) => {
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
