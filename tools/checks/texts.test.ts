import { expect, test } from 'vitest'

import { read, repositoryFiles } from './repository.ts'

const LOCALES = 'web/src/i18n/locales/en/'
const AREAS = ['common', 'auth', 'watchlist', 'moviecard', 'profile']

type Texts = { [key: string]: string | Texts }

function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${prefix}${key}`] : keysOf(value, `${prefix}${key}.`),
  )
}

const sources = repositoryFiles()
  .filter((path) => /^web\/src\/.*\.tsx?$/u.test(path) && !/\.test\.tsx?$/u.test(path))
  .map(read)
  .join('\n')

test('the five areas of the spec have their texts, and there is no sixth', () => {
  const files = repositoryFiles().filter((path) => path.startsWith(LOCALES))

  expect(files.toSorted()).toEqual(AREAS.map((area) => `${LOCALES}${area}.json`).toSorted())
})

for (const area of AREAS) {
  test(`no text of ${area} is empty or unused`, () => {
    const texts = JSON.parse(read(`${LOCALES}${area}.json`)) as Texts
    const unused = keysOf(texts).filter((key) => !isUsed(key.replace(/_(?:one|other|zero)$/u, '')))

    expect(unused).toEqual([])
  })
}

/** A key stands in the sources whole, or its stem does before a computed last part: `history.${verb}`. */
function isUsed(key: string): boolean {
  if (new RegExp(`['"\`:]${escape(key)}['"\`]`, 'u').test(sources)) return true
  const stem = key.slice(0, key.lastIndexOf('.') + 1)
  return stem !== '' && new RegExp('[`:]' + escape(stem) + String.raw`\$\{`, 'u').test(sources)
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
}
