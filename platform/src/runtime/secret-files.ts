import { readFileSync } from 'node:fs'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Replaces each setting `NAME_FILE`, the path of a file, by `NAME` with its content: container platforms provide secrets
 * as files. White space around the secret, such as a final line break, is removed.
 */
export function readSecretFiles(
  names: readonly string[],
  environment: Environment,
): { values: Environment; mistakes: string[] } {
  const values: Record<string, string | undefined> = { ...environment }
  const mistakes: string[] = []
  for (const name of names) {
    const setting = `${name}_FILE`
    const path = environment[setting]
    if (path === undefined || path === '') continue
    if (environment[name] !== undefined && environment[name] !== '') {
      mistakes.push(`${setting}: Must not be set together with ${name}`)
      continue
    }
    try {
      const secret = readFileSync(path, 'utf8').trim()
      if (secret === '') mistakes.push(`${setting}: ${path} is empty`)
      else values[name] = secret
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      mistakes.push(`${setting}: ${path} cannot be read (${reason})`)
    }
  }
  return { values, mistakes }
}
