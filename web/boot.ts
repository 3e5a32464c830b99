import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { minifySync, type Plugin } from 'vite'

const FILE = 'boot.js'

/** Minifies `public/boot.js`, which every visit loads before its first paint. */
export function boot(): Plugin {
  let publicDir = ''
  return {
    name: 'boot',
    apply: 'build',
    configResolved: (config) => {
      publicDir = config.publicDir
    },
    async generateBundle() {
      const { code, errors } = minifySync(FILE, await readFile(join(publicDir, FILE), 'utf8'))
      if (errors.length > 0) throw new Error(`${FILE}: ${errors[0]?.message}`)
      // It replaces the copy.
      this.emitFile({ type: 'asset', fileName: FILE, source: code })
    },
  }
}
