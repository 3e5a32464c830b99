import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { minifySync, type Plugin } from 'vite'

const FILE = 'boot.js'
/** A placeholder in the source for the address of the chunk with this name. */
const CHUNK = /%chunk:(\w+)%/u

/**
 * Minifies `public/boot.js`, which every visit loads before its first paint, and tells it where the schemas are: a browser
 * makes them while it waits for the rest of the code.
 */
export function boot(): Plugin {
  let publicDir = ''
  return {
    name: 'boot',
    apply: 'build',
    configResolved: (config) => {
      publicDir = config.publicDir
    },
    async generateBundle(_options, bundle) {
      const source = (await readFile(join(publicDir, FILE), 'utf8')).replace(CHUNK, (_, name: string) => {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name)
        if (chunk === undefined) throw new Error(`No chunk has the name ${name}`)
        return `/${chunk.fileName}`
      })
      const { code, errors } = minifySync(FILE, source)
      if (errors.length > 0) throw new Error(`${FILE}: ${errors[0]?.message}`)
      // It replaces the copy.
      this.emitFile({ type: 'asset', fileName: FILE, source: code })
    },
  }
}
