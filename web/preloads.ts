import type { Plugin, Rolldown } from 'vite'

/** The screens that a visit is likely to begin with, by the start of their paths. */
const FIRST_SCREENS: Readonly<Record<string, readonly string[]>> = {
  '/auth/': ['/routes/account-screens.ts'],
  '/watchlists/': ['/routes/layouts.ts', '/routes/watchlist.tsx'],
}

/**
 * Writes `preloads.json`: the files of each first screen, beside those that index.html names. The server sends them along
 * as links, so that they load together with the start of the app and not after it.
 */
export function preloads(): Plugin {
  return {
    name: 'preloads',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = new Map(
        Object.values(bundle)
          .filter((file) => file.type === 'chunk')
          .map((chunk) => [chunk.fileName, chunk]),
      )
      const entries = [...chunks.values()].filter(({ isEntry }) => isEntry)
      const ofStart = filesOf(entries, chunks)
      const files = Object.entries(FIRST_SCREENS).map(([path, modules]) => {
        const screens = modules.map((module) => {
          const chunk = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
          if (chunk === undefined) throw new Error(`No chunk begins with ${module}`)
          return chunk
        })
        return [path, [...filesOf(screens, chunks)].filter((file) => !ofStart.has(file))]
      })
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(Object.fromEntries(files)) })
    },
  }
}

/** The chunks and all that they import. */
function filesOf(
  starts: readonly Rolldown.OutputChunk[],
  chunks: ReadonlyMap<string, Rolldown.OutputChunk>,
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const { fileName, imports } of starts) {
    if (found.has(fileName)) continue
    found.add(fileName)
    filesOf(
      imports.flatMap((file) => chunks.get(file) ?? []),
      chunks,
      found,
    )
  }
  return found
}
