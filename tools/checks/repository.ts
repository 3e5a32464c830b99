import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Every file of the repository, tracked or new, by its path from the root, in the order of the paths. */
export function repositoryFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const paths = [...new Set(output.toString().split('\n'))]
  // Git lists a deleted file until the deletion is staged, and new files after all others.
  return paths.filter((path) => path !== '' && existsSync(join(root, path))).toSorted()
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
