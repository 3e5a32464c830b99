import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { precompress } from './precompress.ts'

const { PORT = '3000', API_PORT = '3001' } = process.env

const server = `http://127.0.0.1:${API_PORT}`

/**
 * What the login screen needs of the parts that other screens need too. Named here, since the bundler may otherwise put
 * such a part into one file with parts that need the files for signed-in screens.
 */
const OF_LOGIN = [
  /\/contract\/src\/(?:limits|rules\/account)\./u,
  /\/web\/src\/ui\/(?:field|icon-button|lazy-part|password-field|skeleton|text-field)\./u,
  /\/lucide-react\/.*\/(?:eye|eye-off|fingerprint-pattern)\./u,
]

/**
 * What every screen needs is one file, and what several screens share is put into few: a small file costs more in
 * headers and round trips than it saves, and compresses worse.
 */
const FEW_CHUNKS = [
  { name: 'start', tags: ['$initial' as const], priority: 1 },
  { name: 'forms', test: /react-hook-form/u, priority: 1 },
  // Apart, so that nothing small that a screen needs can take them along: what signing in needs once a form is used,
  // and what every signed-in screen needs, but no account screen.
  { name: 'sign-in', test: /node_modules\/@aws-amplify\//u, priority: 1 },
  { name: 'account', test: (id: string) => OF_LOGIN.some((pattern) => pattern.test(id)), priority: 1 },
  // Apart too, since only the set-up of an authenticator app shows a QR code.
  { name: 'qr-code', test: /node_modules\/uqr\//u, priority: 1 },
  { name: 'data', test: /node_modules\/(?:@tanstack|zod)\//u, priority: 1 },
  {
    name: 'part',
    test: /node_modules|\/contract\/src\/|\/web\/src\/(?:ui|api|people)\//u,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 20_000,
  },
]

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
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: FEW_CHUNKS }, chunkFileNames: nameChunk } },
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
