import { join } from 'node:path'

import { root } from './root.mjs'

/** How Node runs the server. A small young generation saves memory, because few objects outlive their request. */
export const SERVER = ['--max-semi-space-size=8', 'server/src/main.ts']

/** Node's compile cache makes the next start faster and saves memory. */
export const SERVER_ENV = { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') }
