import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'

import { boot } from './boot.ts'
import { dropServerParts } from './drop-server-parts.ts'
import { oneWayChunks } from './one-way-chunks.ts'
import { precompress } from './precompress.ts'
import { preloads } from './preloads.ts'
import { shell } from './shell.ts'
import { subsetFonts } from './subset-fonts.ts'

const { PORT = '3000', API_PORT = '3001' } = process.env

const server = `http://127.0.0.1:${API_PORT}`

/** What the screens for visitors share with those for signed-in users, and the app itself. */
const OF_EVERY_SCREEN = [
  /\/web\/src\/app\/main\./u,
  /\/web\/src\/(?:account\/failures|i18n\/language-notes|ui\/(?:field|icon-button|lazy-part|skeleton|text-field))\./u,
  /\/lucide-react\/.*\/(?:check|eye|eye-off|key-round|languages|mail)\./u,
]

/** What a member loads to see a watchlist. */
const FIRST_SCREEN = /\/web\/src\/(?:app\/main|routes\/(?:layouts|watchlist))\./u

/**
 * Few files: a small one costs more in headers and round trips than it saves, and compresses worse. Each chunk has the
 * modules named here with all that they import, except what is in a chunk above.
 */
const FEW_CHUNKS = [
  // What both of the two chunks share that load first.
  { name: 'base', test: /\/contract\/src\/(?:base\/(?:languages|limits)|rules\/account)\./u, priority: 8 },
  { name: textsOfLanguage, debugName: 'texts', test: /\/i18n\/locales\/(?!en\/)/u, priority: 7 },
  { name: 'start', test: (id: string) => OF_EVERY_SCREEN.some((pattern) => pattern.test(id)), priority: 6 },
  // Other screens load them once the first one is there.
  { name: 'forms', test: /react-hook-form|\/routes\/account-screens\./u, priority: 5 },
  { name: 'amplify', test: /\/account\/amplify-account\./u, priority: 4 },
  // Without React, so that a browser can run it while the start still loads (boot.ts).
  { name: schemasOfFirstScreen, debugName: 'schemas', test: /\/node_modules\/zod\/|\/contract\/src\//u, priority: 4 },
  {
    name: 'data',
    test: /\/node_modules\/@tanstack\/(?:query-core|react-query)\/|\/web\/src\/(?:api\/call|session\/drafts)\./u,
    priority: 3,
  },
  { name: 'frame', test: /\/routes\/layouts\./u, priority: 2 },
  { name: 'watchlist', test: /\/routes\/watchlist\./u, priority: 1 },
  part(/\/contract\/src\/(?:endpoints|entities)\//u),
  part(/\/node_modules\/(?!@?aws-)|\/web\/src\/(?:api|people|ui)\//u),
]

/** Chunks that screens share. The contract has its own: in one group, merged chunks came to import each other. */
function part(test: RegExp) {
  return { name: 'part', test, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 30_000 }
}

/** One chunk for all texts of a language. */
function textsOfLanguage(id: string): string {
  return `texts-${/\/locales\/([\w-]+)[./]/u.exec(id)?.[1]?.toLowerCase() ?? ''}`
}

/** The schemas that a watchlist cannot do without. Others load with the screens that call their endpoints. */
function schemasOfFirstScreen(id: string, modules: Rolldown.ChunkingContext): string | null {
  return id.includes('/zod/') || isOfFirstScreen(id, modules) ? 'schemas' : null
}

/** Whether the first screen imports a module, itself or through others, before it shows. */
function isOfFirstScreen(id: string, modules: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (FIRST_SCREEN.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return modules.getModuleInfo(id)?.importers.some((importer) => isOfFirstScreen(importer, modules, seen)) ?? false
}

/** What a shared chunk is shared by would make a name of a hundred letters. */
function nameChunk({ name }: { name: string }): string {
  return name.startsWith('part~') ? 'assets/part-[hash].js' : 'assets/[name]-[hash].js'
}

/**
 * One build for every set-up: what differs is read from /config.json. The Content-Security-Policy allows no inline
 * script and no eval, hence no inlined preload polyfill and no assets as data URLs. `#web/*` resolves through the
 * package's `imports`.
 */
export default defineConfig({
  plugins: [react(), tailwindcss(), dropServerParts(), preloads(), boot(), shell(), oneWayChunks(), precompress()],
  resolve: { alias: await subsetFonts() },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // A limit is then where it is used, and the first script has no list of all limits.
      optimization: { inlineConst: { mode: 'all' } },
      output: { codeSplitting: { groups: FEW_CHUNKS }, chunkFileNames: nameChunk },
    },
  },
  server: {
    host: '127.0.0.1',
    port: Number(PORT),
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/identity', '/oauth2', '/logout', '/images', '/config.json', '/readyz'].map((path) => [
        path,
        { target: server },
      ]),
    ),
  },
})
