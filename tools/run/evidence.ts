import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { read, root } from '../checks/repository.ts'
import { problems } from '../evidence/page.ts'
import { evidencePages, STANDARDS } from '../evidence/pages.ts'
import { tagsOfRepository } from '../evidence/tags.ts'

/** `npm run evidence`: what is wrong with the pages of evidence. With `--save`, they are written first. */
export function run(args: readonly string[]): number {
  if (args.length > 1 || (args.length === 1 && args[0] !== '--save')) {
    console.error('Usage: npm run evidence [-- --save]')
    return 2
  }
  if (args[0] === '--save') for (const [path, text] of evidencePages()) writeFileSync(join(root, path), text)
  const found = evidenceProblems()
  if (found.length > 0) console.error(found.join('\n'))
  return found.length === 0 ? 0 : 1
}

export function evidenceProblems(): string[] {
  const outdated = evidencePages()
    .filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text)
    .map(([path]) => `${path} is out of date: npm run evidence -- --save`)
  return [...problems(Object.values(STANDARDS), tagsOfRepository()), ...outdated]
}
