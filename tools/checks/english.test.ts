import { execFileSync } from 'node:child_process'

import { expect, test } from 'vitest'

import { read, repositoryFiles, root } from './repository.ts'
import { sources, titlesOf } from './syntax.ts'

/** Words that make a sentence hard to read, with what to write instead. */
const RETIRED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\b(?:[Ww]hoever|[Ss]omebody|[Nn]obody|[Aa]nybody)\b/gu, 'the role: user, member, owner, guest, caller, attacker'],
  [/\banew\b/giu, 'again'],
  [/\bthereof\b/giu, 'of it'],
  [/\bstands\b/giu, 'is'],
  [/\b(?:is|are|was|were|be|been|being) told\b/giu, 'is notified, sees'],
  [/\bled\b/giu, 'redirected'],
  [/\bslate\b/giu, 'failed-attempt counter'],
  [/\bwish(?:es|ed)?\b/giu, 'options, or want'],
  [/\bstanding\b/giu, 'account status'],
  [/\bgovern(?:s|ed|ing)?\b|\bcanGovern\b/gu, 'canManage'],
  [/\btakePart\b/gu, 'isMember, canContribute'],
  [/\bgoOn\b/gu, 'continue'],
  [/\bisWorn\b/gu, 'isExpired'],
  [/\b(?:it|this|that|who|which) (?:is|are) no (?!longer\b|more\b)/giu, 'is not a'],
]
/** A title that begins like this continues another. */
const HALF =
  /: (?:of|with|without|from|to|that|who|whose|and|or|is|are|has|have|does|do|can|cannot|gets|shows|keeps|rejects|refuses)\b/u
const LONGEST_SUBJECT = 72
/** Earlier commits are history. */
const SUBJECTS_SINCE = '2026-11-23T16:40:00Z'

test('no file has one of the retired words', () => {
  const prose = repositoryFiles().filter(
    (path) => !/\.(?:png|svg|csv)$|package-lock\.json$/u.test(path) && path !== 'tools/checks/english.test.ts',
  )

  expect(prose.flatMap(retiredWords)).toEqual([])
})

test('a test title states a fact and does not start with "should" or "works"', () => {
  const titles = sources().flatMap((source) => titlesOf(source).map((title) => `${source.path}: ${title}`))

  expect(titles.length).toBeGreaterThan(1000)
  expect(titles.filter((title) => /: (?:should|works)\b/u.test(title))).toEqual([])
})

test('a test title does not begin with a word that continues the title of its group', () => {
  const titles = sources().flatMap((source) => titlesOf(source).map((title) => `${source.path}: ${title}`))

  expect(titles.filter((title) => HALF.test(title))).toEqual([])
})

test('a commit subject has at most 72 characters', () => {
  const log = execFileSync('git', ['log', `--since=${SUBJECTS_SINCE}`, '--no-merges', '--format=%s'], { cwd: root })
  const subjects = log.toString().split('\n')

  expect(subjects.filter((subject) => subject.length > LONGEST_SUBJECT)).toEqual([])
})

function retiredWords(path: string): string[] {
  const text = read(path)
  return RETIRED.flatMap(([words, instead]) =>
    [...text.matchAll(words)].map(([word]) => `${path}: "${word}": write ${instead}`),
  )
}
