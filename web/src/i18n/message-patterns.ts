import english from './locales/en/problems.json'
import type { Tree } from './texts.ts'

const PLACEHOLDER = /\{\{(\w+)\}\}/gu

/**
 * Finds the translation of an English message of the server, and of a message within a message. Loaded only with another
 * language.
 */
export function messagesIn(translation: Tree): (message: string) => string | undefined {
  const translated = new Map(leaves(translation))
  const patterns = leaves(english).map(([key, text]) => ({ pattern: patternOf(text), text: translated.get(key) }))
  const translate = (message: string): string | undefined => {
    for (const { pattern, text } of patterns) {
      const found = pattern.exec(message)
      if (found)
        return text?.replaceAll(PLACEHOLDER, (_, name: string) => {
          const value = found.groups?.[name] ?? ''
          return translate(value) ?? value
        })
    }
    return undefined
  }
  return translate
}

function leaves(tree: Tree, prefix = ''): (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([key, text]) =>
    typeof text === 'string' ? [[`${prefix}${key}`, text] as const] : leaves(text, `${prefix}${key}.`),
  )
}

function patternOf(text: string): RegExp {
  const escaped = text.replaceAll(/[$()*+.?[\\\]^|]/gu, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll(PLACEHOLDER, '(?<$1>.+)')}$`, 'u')
}
