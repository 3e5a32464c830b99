import { join } from 'node:path'

import { root } from './root.mjs'

/** How Node runs the server. New objects get little room, since hardly any outlive their request: it holds less memory. */
export const SERVER = ['--max-semi-space-size=8', 'server/src/main.ts']

/** What Node made of the sources is kept, so that the next start is faster and holds less. */
export const SERVER_ENV = { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') }
