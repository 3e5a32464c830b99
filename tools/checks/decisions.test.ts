import { posix } from 'node:path'

import { expect, test } from 'vitest'

import { read, repositoryFiles } from './repository.ts'

const FOLDER = 'docs/decisions'
const INDEX = `${FOLDER}/README.md`
const DAY = String.raw`\d{4}-\d{2}-\d{2}`
const STATUS = new RegExp(String.raw`^\*\*Status\.\*\* (?:Accepted|Replaced) on ${DAY}\b`, 'u')
/** Titles that name a subject and leave the choice open. */
const OPEN_QUESTION = /^(?:Which|What|How|Whether|Why)\b/u

const pages = repositoryFiles()
  .filter((path) => path.startsWith(`${FOLDER}/`) && path !== INDEX)
  .map((path) => {
    const [heading = '', status = ''] = read(path).split('\n\n')
    return { file: posix.basename(path), heading, status }
  })

test('each decision has its own number, in its file name and in its title', () => {
  const numbers = pages.map(({ file, heading }) => ({
    file,
    named: Number(/^(\d{4})-[a-z0-9-]+\.md$/u.exec(file)?.[1]),
    titled: Number(/^# (\d+)\. /u.exec(heading)?.[1]),
  }))

  expect(numbers.filter(({ named, titled }) => named !== titled)).toEqual([])
  expect(new Set(numbers.map(({ named }) => named)).size).toBe(pages.length)
})

test('each decision begins with its status', () => {
  expect(pages.filter(({ status }) => !STATUS.test(status)).map(({ file, status }) => `${file}: ${status}`)).toEqual([])
})

test('the title of a decision names the choice', () => {
  expect(pages.map(({ heading }) => titleOf(heading)).filter((title) => OPEN_QUESTION.test(title))).toEqual([])
})

test('a replaced decision and the decision that replaces it name each other', () => {
  const replaced = pages.flatMap(({ file, status }) =>
    [...status.matchAll(/(?:Replaced on \S+|is replaced) by\s+\[[^\]]+\]\(([^)]+)\)/gu)].map(
      ([, by]) => `${by} > ${file}`,
    ),
  )
  const replacing = pages.flatMap(({ file, status }) =>
    [...status.matchAll(/Replaces(?: the second half of)?\s+\[[^\]]+\]\(([^)]+)\)/gu)].map(
      ([, old]) => `${file} > ${old}`,
    ),
  )

  expect(replaced.length).toBeGreaterThan(0)
  expect(replaced.toSorted()).toEqual(replacing.toSorted())
})

test('the index lists each decision with its title and status', () => {
  const rows = read(INDEX)
    .split('\n')
    .filter((line) => line.startsWith('| ['))
    .map((line) => line.replaceAll(/\s+/gu, ' '))
  const expected = pages.map(({ file, heading, status }) => {
    const [, word, day] = new RegExp(String.raw`\*\* (\w+) on (${DAY})`, 'u').exec(status) ?? []
    return `| [${Number(file.slice(0, 4))}](${file}) | ${titleOf(heading)} | ${word?.toLowerCase()} on ${day} |`
  })

  expect(rows).toEqual(expected)
})

function titleOf(heading: string): string {
  return heading.replace(/^# \d+\. /u, '')
}
