import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './dependencies.mjs'
import { step } from './process.mjs'

const stamp = join(root, 'web', 'dist', '.built-from')

/** Builds the web app if its sources changed since the last build. */
export async function ensureWebBuild() {
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  const title = 'Building the web app (takes less than a minute, and only after a change)'
  const built = await step(title, 'vite', ['build', '--logLevel', 'warn'], { folder: 'web' })
  if (built) writeFileSync(stamp, wanted)
  return built
}

function fingerprint() {
  const files = globSync(
    ['package-lock.json', 'tsconfig.base.json', 'web/*.{json,ts,html}', 'web/{src,public}/**/*', 'contract/src/**/*'],
    { cwd: root },
  )
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const path = join(root, file)
    if (!statSync(path).isFile()) continue
    hash.update(file).update('\0').update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}
