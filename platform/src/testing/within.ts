/** How long a test waits for a state. It is long, because a loaded machine can be many times slower than usual. */
export const WITHIN = { timeout: 30_000, interval: 20 }
