import type { Plugin } from 'vite'

/**
 * Fails the build if chunks import each other in a circle: the one that runs first would use what does not exist yet.
 * Groups of chunks are merged by size, so any change of the code can lead to one.
 */
export function oneWayChunks(): Plugin {
  return {
    name: 'one-way-chunks',
    generateBundle(_, bundle) {
      const importsOf = (name: string): readonly string[] => {
        const file = bundle[name]
        return file.type === 'chunk' ? file.imports : []
      }
      const isDone = new Set<string>()
      const visit = (name: string, path: readonly string[]): void => {
        if (path.includes(name)) {
          this.error(`Chunks import each other in a circle: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`)
        }
        if (isDone.has(name)) return
        for (const next of importsOf(name)) visit(next, [...path, name])
        isDone.add(name)
      }
      for (const name of Object.keys(bundle)) visit(name, [])
    },
  }
}
