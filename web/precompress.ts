import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(?:js|css|html|svg|json)$/u
const WORTH_IT_BYTES = 500

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Puts a `.br` and a `.gz` beside each text file of the build, so that the server compresses nothing while it serves. */
export function precompress(): Plugin {
  let publicDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      publicDir = config.publicDir
    },
    // After the plugin that writes index.html.
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const made = Object.values(bundle).map((file) => ({
          fileName: file.fileName,
          content: file.type === 'chunk' ? file.code : file.source,
        }))
        const copied = (await filesIn(publicDir)).filter(({ fileName }) => !(fileName in bundle))
        const files = [...made, ...copied]
        await Promise.all(
          files.map(async (file) => {
            if (!COMPRESSIBLE.test(file.fileName)) return
            const source = Buffer.from(file.content)
            if (source.length < WORTH_IT_BYTES) return
            const best = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: source.length } }
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: await brotli(source, best) })
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: await zip(source, { level: 9 }) })
          }),
        )
      },
    },
  }
}

/** The files that Vite copies as they are. */
async function filesIn(folder: string): Promise<{ fileName: string; content: Buffer }[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return await Promise.all(
    names.map(async (fileName) => ({ fileName, content: await readFile(join(folder, fileName)) })),
  )
}
