import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(?:js|css|html|svg|json)$/u
const WORTH_IT_BYTES = 1_000

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Puts a `.br` and a `.gz` beside each text file of the build, so that the server compresses nothing while it serves. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    // After the plugin that writes index.html.
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => COMPRESSIBLE.test(fileName))
        await Promise.all(
          files.map(async (file) => {
            const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
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
