import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { SECRETS, SettingsSchema } from '../../server/src/settings/settings.ts'
import { root } from '../checks/repository.ts'

/** Written by `npm run settings`; `tools/checks/settings.test.ts` fails when it is out of date. */
export const SETTINGS_PAGE = 'docs/settings.md'

/** `npm run settings`: writes the page of settings from their schema. */
export function run(): number {
  writeFileSync(join(root, SETTINGS_PAGE), settingsPage())
  return 0
}

export function settingsPage(): string {
  const { properties = {} } = SettingsSchema.toJSONSchema({ io: 'input' })
  const files = new Set(SECRETS.map((name) => `${name}_FILE`))
  const rows = Object.entries(properties)
    .filter(([name]) => !files.has(name))
    .map(([name, setting]) => row(name, setting as Setting))
  return `${HEAD}\n\n| setting | default | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n\n${tail()}\n`
}

type Setting = { default?: string; description?: string; enum?: string[] }

function row(name: string, setting: Setting): string {
  const { default: standard = defaultAfterTransform(name), description, enum: values } = setting
  if (description === undefined) throw new Error(`The schema does not describe the setting ${name}`)
  const list = values === undefined ? '' : ` One of ${values.map(code).join(', ')}.`
  return `| ${code(name)} | ${standard === undefined ? '' : code(standard)} | ${description}${list} |`
}

/** JSON schema omits a default that replaces the transformed value, such as a number that was given as text. */
function defaultAfterTransform(name: string): string | undefined {
  const shape: Readonly<Record<string, { def: object }>> = SettingsSchema.shape
  const { def } = shape[name] ?? { def: {} }
  return 'defaultValue' in def ? String(def.defaultValue) : undefined
}

const HEAD = `# Settings

Marquee reads its settings from environment variables, once, at the start. An empty variable counts as unset. If any
setting is wrong, the process lists all mistakes and exits before it opens anything.

This page is generated from the schema in \`server/src/settings/settings.ts\`: change the schema, then run \`npm run settings\`.`

function tail(): string {
  return `## Secrets from files

A secret may come from a file, as container platforms provide it. Add \`_FILE\` to the name and give the path of the
file: \`DATABASE_URL_FILE=/run/secrets/database-url\`. A setting and its \`_FILE\` variant must not both be set. This works
for:

${SECRETS.map((name) => `- ${code(name)}`).join('\n')}`
}

function code(text: string): string {
  return `\`${text}\``
}
