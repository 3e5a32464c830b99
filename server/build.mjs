// Builds the server and the commands of operators into dist/: one file each, one for the thread that parses, and one for each
// library that is loaded on demand (docs/decisions/0038-built-server.md).
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

import { bundle } from './bundle.mjs'

const output = join(import.meta.dirname, 'dist')
/** Another process may build at the same time, or start what is there. */
const draft = join(import.meta.dirname, `../.cache/server.${process.pid}`)

try {
  await bundle({ draft, output })
  rmSync(output, { recursive: true, force: true })
  renameSync(draft, output)
} finally {
  rmSync(draft, { recursive: true, force: true })
}
