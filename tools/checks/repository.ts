import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Every file of the repository, tracked or about to be, by its path from the root. */
export function repositoryFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  return [...new Set(output.toString().split('\n'))].filter((path) => path !== '')
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
