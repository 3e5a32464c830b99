import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from '../checks/repository.ts'
import { breaks } from '../promises/breaks.ts'
import { type Surface, surface } from '../promises/surface.ts'

/** The surface of the last release, which the present one is compared with. */
const RELEASED = join(root, 'tools/promises/released.json')

/** `npm run promises`: what breaks since the last release. With `--save`, the present surface becomes that of a release. */
export function run(args: readonly string[]): number {
  if (args.length > 1 || (args.length === 1 && args[0] !== '--save')) {
    console.error('Usage: npm run promises [-- --save]')
    return 2
  }
  if (args[0] === '--save') {
    writeFileSync(RELEASED, asText(surface()))
    return 0
  }
  const found = breaksSinceRelease()
  console.log(found.length === 0 ? `Nothing breaks since ${released().version}.` : found.join('\n'))
  return 0
}

export function breaksSinceRelease(): string[] {
  return breaks(released(), surface())
}

function released(): Surface {
  return JSON.parse(readFileSync(RELEASED, 'utf8')) as Surface
}

/** JSON with a line for each call, kind of message and setting, so that a change of one shows as one line. */
function asText({ version, calls, webhooks, exports, settings }: Surface): string {
  const lines = (entries: object): string =>
    Object.entries(entries)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n')
  const parts = Object.entries({ calls, webhooks, exports, settings }).map(
    ([name, part]) => `"${name}":{\n${lines(part)}\n}`,
  )
  return `{"version":${JSON.stringify(version)},\n${parts.join(',\n')}}\n`
}
