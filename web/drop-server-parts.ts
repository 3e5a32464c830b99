import type { Plugin } from 'vite'

type Span = { start: number; end: number }

/**
 * What only the server and the API documentation read of an endpoint. The app fills in the types of these parts, and checks
 * what it sends with the schemas of entities.
 */
const OF_THE_SERVER = new Set(['summary', 'errors', 'limit', 'params', 'query', 'status', 'body'])

const COMMA = /^\s*,/u

/** Leaves out of the endpoints what the app does not read. */
export function dropServerParts(): Plugin {
  return {
    name: 'drop-server-parts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/endpoints\/[\w-]+\.ts$/u },
      handler(code) {
        const parts = serverPartsIn(this.parse(code, { lang: 'ts' }))
        return parts.reduceRight(
          (text, { start, end }) => text.slice(0, start) + text.slice(end).replace(COMMA, ''),
          code,
        )
      },
    },
  }
}

/** Where these properties are, from first to last. Not in a schema, whose fields may have the same names. */
function serverPartsIn(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null || isSchema(node)) return []
  return isServerPart(node) ? [node] : Object.values(node).flatMap(serverPartsIn)
}

/** A call of something else than `endpoint`. */
function isSchema(node: object): boolean {
  return 'callee' in node && (node.callee as { name?: string }).name !== 'endpoint'
}

/** A shorthand takes its value from a variable, and has no text. */
function isServerPart(node: object): node is Span {
  if (!('key' in node && 'value' in node && 'shorthand' in node) || node.shorthand === true) return false
  return OF_THE_SERVER.has((node.key as { name?: string }).name ?? '')
}
