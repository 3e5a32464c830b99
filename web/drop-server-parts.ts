import type { Plugin } from 'vite'

type Span = { start: number; end: number }

/** What only the server and the API documentation read of an endpoint. */
const OF_THE_SERVER = new Set(['summary', 'errors', 'limit'])

/** Leaves texts and lists of the endpoints that the app does not read out of it. */
export function dropServerParts(): Plugin {
  return {
    name: 'drop-server-parts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/endpoints\/[\w-]+\.ts$/u },
      handler(code) {
        const parts = serverPartsIn(this.parse(code, { lang: 'ts' }))
        return parts.reduceRight((text, { start, end }) => `${text.slice(0, start)}''${text.slice(end)}`, code)
      },
    },
  }
}

/** Where the values of these properties are, from first to last. Only literals: the `limit` of a query is a schema. */
function serverPartsIn(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null) return []
  return isServerPart(node) ? [node.value] : Object.values(node).flatMap(serverPartsIn)
}

/** A shorthand takes its value from a variable, and has no text. */
function isServerPart(node: object): node is { value: Span & { type: string } } {
  if (!('key' in node && 'value' in node && 'shorthand' in node) || node.shorthand === true) return false
  const { key, value } = node as { key: { name?: string }; value: { type: string } }
  return OF_THE_SERVER.has(key.name ?? '') && ['Literal', 'TemplateLiteral', 'ArrayExpression'].includes(value.type)
}
