import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from '../checks/repository.ts'
import { currentText, problems } from '../evidence/page.ts'
import { evidencePages } from '../evidence/pages.ts'
import { tagsOfRepository } from '../evidence/tags.ts'

/** `npm run evidence`: what is wrong with the pages of evidence. With `--save`, their counts and tests are written first. */
export function run(args: readonly string[]): number {
  if (args.length > 1 || (args.length === 1 && args[0] !== '--save')) {
    console.error('Usage: npm run evidence [-- --save]')
    return 2
  }
  if (args[0] === '--save') {
    const tags = tagsOfRepository()
    for (const page of evidencePages()) writeFileSync(join(root, page.path), currentText(page, tags))
  }
  const found = evidenceProblems()
  if (found.length > 0) console.error(found.join('\n'))
  return found.length === 0 ? 0 : 1
}

export function evidenceProblems(): string[] {
  const tags = tagsOfRepository()
  const pages = evidencePages()
  const outdated = pages
    .filter((page) => currentText(page, tags) !== page.text)
    .map(({ path }) => `${path} is out of date: npm run evidence -- --save`)
  return [...problems(pages, tags), ...outdated]
}
