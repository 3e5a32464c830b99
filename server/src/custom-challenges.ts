import { pathToFileURL } from 'node:url'

import type { CustomChallenges } from '@marquee/identity'
import { SettingsError } from '@marquee/platform/runtime/settings'

const TRIGGERS = ['define', 'create', 'verify'] as const

/**
 * Loads the plug-in of the setting (docs/custom-challenges.md); undefined without the setting.
 * @throws {SettingsError} if the file is missing or not a plug-in.
 */
export async function loadCustomChallenges(path: string | undefined): Promise<CustomChallenges | undefined> {
  if (path === undefined) return undefined
  const plugIn = await importFrom(path)
  const missing = TRIGGERS.filter((name) => typeof plugIn[name] !== 'function')
  if (missing.length > 0) throw wrong(`${path} does not export the functions ${missing.join(', ')}`)
  return plugIn as CustomChallenges
}

async function importFrom(path: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (error) {
    throw wrong(`${path} could not be loaded: ${error instanceof Error ? error.message : 'it threw no error'}`)
  }
}

function wrong(reason: string): SettingsError {
  return new SettingsError(`These settings are wrong:\n  CUSTOM_CHALLENGES: ${reason}`)
}
