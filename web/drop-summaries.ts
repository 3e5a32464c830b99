import type { Plugin } from 'vite'

type Span = { start: number; end: number }

/** Leaves the summaries of the endpoints, which only the API documentation shows, out of the app. */
export function dropSummaries(): Plugin {
  return {
    name: 'drop-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/endpoints\/[\w-]+\.ts$/u },
      handler(code) {
        const summaries = summariesIn(this.parse(code, { lang: 'ts' }))
        return summaries.reduceRight((text, { start, end }) => `${text.slice(0, start)}''${text.slice(end)}`, code)
      },
    },
  }
}

/** Where the values of the properties named `summary` are, from first to last. */
function summariesIn(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null) return []
  return isSummary(node) ? [node.value] : Object.values(node).flatMap(summariesIn)
}

/** A shorthand takes its value from a variable, and has no text. */
function isSummary(node: object): node is { value: Span } {
  if (!('key' in node && 'shorthand' in node) || node.shorthand === true) return false
  return typeof node.key === 'object' && node.key !== null && 'name' in node.key && node.key.name === 'summary'
}
