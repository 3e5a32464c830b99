import { appendFileSync } from 'node:fs'
import process from 'node:process'

/**
 * Prints a figure and stores it for the table at the end. `target` is the target as text, `met` whether it was reached;
 * omit both if there is no target.
 */
export function report(what, measured, { target, met } = {}) {
  console.log(`${what}: ${measured}${target === undefined ? '' : ` (${target}: ${met ? 'met' : 'MISSED'})`}`)
  const file = process.env.BENCH_RESULTS
  if (file) appendFileSync(file, `${JSON.stringify({ what, measured, target, met })}\n`)
}

export const atLeast = (value, limit) => ({ target: `at least ${limit}`, met: value >= limit })
export const atMost = (value, limit, unit = '') => ({ target: `at most ${limit}${unit}`, met: value <= limit })

export const rate = (value) => `${Math.round(value).toLocaleString('en')} /s`
export const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`
export const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
