import type { z } from 'zod'

import { Refusal } from './refusal.ts'

/** The settings are wrong. The message lists every mistake, one per line. */
export class SettingsError extends Refusal {
  override readonly name = 'SettingsError'
}

/**
 * Reads settings from the environment with one schema. An empty variable counts as unset.
 * @param found earlier mistakes, to be reported with the others
 * @throws {SettingsError} with all mistakes.
 */
export function readSettings<S extends z.ZodType>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
  found: readonly string[] = [],
): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(given)
  if (parsed.success && found.length === 0) return parsed.data
  const wrong = (parsed.error?.issues ?? []).map((issue) => `  ${issue.path.join('.') || 'settings'}: ${issue.message}`)
  const mistakes = [...found.map((mistake) => `  ${mistake}`), ...wrong]
  throw new SettingsError(`These settings are wrong:\n${mistakes.join('\n')}`)
}
