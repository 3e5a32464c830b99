import type { Plugin, Rolldown } from 'vite'

/** The screens that a visit is likely to begin with, by the start of their paths. */
const FIRST_SCREENS: Readonly<Record<string, readonly string[]>> = {
  '/auth/': ['/routes/account-screens.ts'],
  '/watchlists/': ['/routes/layouts.ts', '/routes/watchlist.tsx'],
}

/**
 * Writes `preloads.json`: the files of each first screen. The server sends them along as links, so that they load together with
 * the start of the app and not after it. The largest come first: over HTTP/1.1 a browser loads six files at a time.
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
      // Vite puts what an entry imports into index.html, and drops the entry.
      const start = [...chunks.values()].flatMap(({ isEntry, imports }) => (isEntry ? imports : []))
      const ofStart = filesOf(
        start.flatMap((file) => chunks.get(file) ?? []),
        chunks,
      )
      const styles = [...ofStart].flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])])
      const sizeOf = (file: string) => chunks.get(file)?.code.length ?? 0
      const files = Object.entries(FIRST_SCREENS).map(([path, modules]) => {
        const screens = modules.map((module) => {
          const chunk = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
          if (chunk === undefined) throw new Error(`No chunk begins with ${module}`)
          return chunk
        })
        const code = [...new Set([...ofStart, ...filesOf(screens, chunks)])]
        code.sort((one, other) => sizeOf(other) - sizeOf(one))
        return [path, ['boot.js', ...styles, ...code]]
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
