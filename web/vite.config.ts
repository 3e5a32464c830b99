import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { precompress } from './precompress.ts'

const { PORT = '3000', API_PORT = '3001' } = process.env

const server = `http://127.0.0.1:${API_PORT}`

/**
 * One build for every set-up: what differs is read from /config.json. The Content-Security-Policy allows no inline
 * script and no eval, hence no inlined preload polyfill and no assets as data URLs. `#web/*` resolves through the
 * package's `imports`.
 */
export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  build: { outDir: 'dist', emptyOutDir: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: {
    host: '127.0.0.1',
    port: Number(PORT),
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/identity', '/images', '/config.json', '/readyz'].map((path) => [path, { target: server }]),
    ),
  },
})
