import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Every file of the repository, tracked or new, by its path from the root. */
export function repositoryFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  // Git lists a deleted file until the deletion is staged.
  return [...new Set(output.toString().split('\n'))].filter((path) => path !== '' && existsSync(join(root, path)))
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
