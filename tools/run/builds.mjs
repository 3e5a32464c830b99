import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { pinnedNode, root } from './dependencies.mjs'
import { step } from './process.mjs'

/** Builds the web app if its sources changed since the last build. */
export async function ensureWebBuild() {
  const own = readdirSync(join(root, 'web')).filter((name) => !['dist', 'node_modules'].includes(name))
  const sources = ['tsconfig.base.json', 'contract/src', ...own.map((name) => join('web', name))]
  return await ensureBuild('web', sources, async () => {
    const title = 'Building the web app (takes less than a minute, and only after a change)'
    return await step(title, 'vite', ['build', '--logLevel', 'warn'], { folder: 'web' })
  })
}

/** Builds the server into few files, which start faster and need less memory, if its sources changed. */
export async function ensureServerBuild() {
  const sources = [
    'server/build.mjs',
    'server/bundle.mjs',
    'contract/src',
    'platform/src',
    'identity/src',
    'server/src',
  ]
  return await ensureBuild('server', sources, async () => {
    const title = 'Building the server (takes seconds, and only after a change)'
    return await step(title, pinnedNode, ['server/build.mjs'])
  })
}

/** Runs `build`, which writes to `dist` in the folder, unless the content of the sources is that of the last build. */
async function ensureBuild(folder, sources, build) {
  const stamp = join(root, folder, 'dist', '.built-from')
  const wanted = fingerprint(['package-lock.json', ...sources])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  const built = await build()
  if (built) writeFileSync(stamp, wanted)
  return built
}

function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(filesOf)) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** The files of a source, without tests. */
function filesOf(source) {
  if (statSync(join(root, source)).isFile()) return [source]
  return readdirSync(join(root, source), { recursive: true })
    .filter((path) => !/\.test\.tsx?$|(?:^|[\\/])testing(?:[\\/]|$)/u.test(path))
    .map((path) => join(source, path))
    .filter((path) => statSync(join(root, path)).isFile())
    .toSorted()
}
