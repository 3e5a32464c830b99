import { join } from 'node:path'

import { ensureServerBuild, ensureWebBuild } from './builds.mjs'
import { pinnedNode, root } from './dependencies.mjs'
import { exitOf, forwardSignals, start } from './process.mjs'

/**
 * How Node runs the server. A small young generation saves memory, because few objects outlive their request. Without the second
 * flag, code that once made objects which lived a little longer puts all its garbage among what lives long from then on. With
 * the third, the heap is collected when it has grown by 60 %. By itself V8 lets it grow to four times its size on a large machine.
 */
export const SERVER = [
  '--max-semi-space-size=8',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=60',
  'server/dist/main.js',
]

/**
 * Node's compile cache makes the next start faster and saves memory. The allocator of the system (glibc) would keep buffers
 * of bodies and what V8 needs to compile, in pieces of 32 kB, in one heap with small objects, and a heap for each of many
 * threads. Those fall to pieces that never go back.
 */
export const SERVER_ENV = {
  NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
}

/** `npm start`: builds web app and server if they changed, and runs the server. */
export async function run() {
  if (!(await ensureWebBuild()) || !(await ensureServerBuild())) return 1
  console.log('Starting Marquee. Ctrl+C stops it.')
  const server = start(pinnedNode, SERVER, { env: SERVER_ENV, linked: true })
  forwardSignals([server])
  return await exitOf(server)
}
