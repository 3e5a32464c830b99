import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { readSecretFiles } from '@marquee/platform/runtime/secret-files'
import { SettingsError } from '@marquee/platform/runtime/settings'

import { examine } from '../doctor/examine.ts'
import { type Finding, ok, problem } from '../doctor/finding.ts'
import { withoutSecrets } from '../doctor/without-secrets.ts'
import { readServerSettings, SECRETS, type Settings } from '../settings/settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** For scripts: the codes that monitoring programs expect. */
const EXIT_CODES: Readonly<Record<Finding['verdict'], number>> = { ok: 0, unused: 0, warning: 1, problem: 2 }
const WORDS: Readonly<Record<Finding['verdict'], string>> = {
  ok: 'ok',
  unused: 'not used',
  warning: 'warning',
  problem: 'problem',
}
const WORD_WIDTH = 10
const NAME_WIDTH = 11

/** Looks at everything that the settings name, and changes nothing. Wrong settings are a finding, too. */
export const doctor = {
  usage: 'doctor',
  summary:
    'Looks at settings, disk, clock, database and services, and says what is wrong and what to do. Exit code 0, 1 for warnings, 2 for problems.',
  run: async (environment: Environment): Promise<number> => {
    let code = 0
    const { values } = readSecretFiles(SECRETS, environment)
    const report = (name: string, { verdict, text }: Finding): void => {
      code = Math.max(code, EXIT_CODES[verdict])
      const line = withoutSecrets(text, values).replaceAll(/\s+/gu, ' ')
      console.log(`${WORDS[verdict].padEnd(WORD_WIDTH)}${name.padEnd(NAME_WIDTH)}${line}`)
    }
    const settings = readSettings(environment, report)
    if (!settings) return code
    for await (const { name, finding } of examine(settings, { clock: systemClock, random: systemRandom })) {
      report(name, finding)
    }
    return code
  },
}

function readSettings(
  environment: Environment,
  report: (name: string, finding: Finding) => void,
): Settings | undefined {
  try {
    const settings = readServerSettings(environment)
    report('settings', ok('All are valid.'))
    return settings
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const [, ...mistakes] = error.message.split('\n')
    for (const mistake of mistakes) {
      report(
        'settings',
        problem(`${mistake.trim()}. docs/settings.md has all settings; nothing else can be looked at.`),
      )
    }
    return undefined
  }
}
