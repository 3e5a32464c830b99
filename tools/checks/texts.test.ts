import { expect, test } from 'vitest'

import { read, repositoryFiles } from './repository.ts'
import { sources, stringsOf } from './syntax.ts'

const LOCALES = 'web/src/i18n/locales/en/'
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

test('each area has its file, and there are no other files but its later parts', () => {
  const files = repositoryFiles().filter((path) => path.startsWith(LOCALES))

  expect(files.toSorted()).toEqual(FILES.map((area) => `${LOCALES}${area}.json`).toSorted())
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
