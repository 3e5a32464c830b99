import { execFileSync } from 'node:child_process'

import { expect, test } from 'vitest'

import { read } from './repository.ts'

/** Fills and frees 64 MiB of buffers of a size, with small ones between them that stay, and prints the MiB that it holds. */
const programOf = (size: number) => `
  const make = (bytes) => Buffer.allocUnsafeSlow(bytes).fill(1)
  const free = ({ buffer }) => buffer.transfer(0)
  free(make(16 * 1024 * 1024))
  const before = process.memoryUsage.rss()
  const long = []
  globalThis.small = []
  for (let nth = 0; nth < ${(64 * 1024 * 1024) / size}; nth += 1) {
    long.push(make(${size}))
    if (nth % ${(1024 * 1024) / size} === 0) small.push(make(3_000))
  }
  long.forEach(free)
  console.log(Math.round((process.memoryUsage.rss() - before) / 1024 / 1024))
`

function mibHeldWith(env: NodeJS.ProcessEnv, size: number): number {
  return Number(execFileSync(process.execPath, ['--eval', programOf(size)], { env, encoding: 'utf8' }))
}

/** What starts a server, or tells how to. */
const STARTS = [
  'tools/run/start.mjs',
  'tools/release/inside/server/run.mjs',
  'Dockerfile',
  'server/src/testing/server-process.ts',
  'docs/operating.md',
]

test.each(STARTS)('%s runs the server with the Node flags that save memory', (path) => {
  const flags = read(path).match(
    /--(?:max-semi-space-size=\d+|no-allocation-site-pretenuring|heap-growing-percent=\d+)\b/gu,
  )

  expect(new Set(flags)).toEqual(
    new Set(['--max-semi-space-size=8', '--no-allocation-site-pretenuring', '--heap-growing-percent=60']),
  )
})

test.each(STARTS)('freed buffers are returned to the system under the settings of %s', (path) => {
  const settings = [...read(path).matchAll(/\b(MALLOC_\w+)\b\W+(\d+)/gu)].map(([, name, value]) => [name, value])

  expect(settings).toEqual([
    ['MALLOC_ARENA_MAX', '2'],
    ['MALLOC_MMAP_THRESHOLD_', '32768'],
  ])
  const env = Object.fromEntries(settings) as NodeJS.ProcessEnv
  for (const size of [1024 * 1024, 64 * 1024]) expect(mibHeldWith(env, size), `${size} bytes each`).toBeLessThan(16)
})
