import type { Plugin } from 'vite'

/**
 * Writes `shell.json`: the files of this build, from which the app opens without a connection. The service worker keeps
 * them.
 */
export function shell(): Plugin {
  return {
    name: 'shell',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.keys(bundle)
          .filter((name) => name.startsWith('assets/'))
          .map((name) => `/${name}`)
        this.emitFile({ type: 'asset', fileName: 'shell.json', source: JSON.stringify(files) })
      },
    },
  }
}
