/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')
const css = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8')

const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** The tokens of theme.css in each theme, as written: `--canvas: light-dark(#faf7f2, #121014)`. */
const tokens: Record<Theme, Map<string, string>> = { light: new Map(), dark: new Map() }
for (const [, name = '', light = '', dark = ''] of css.matchAll(
  /--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/gu,
)) {
  tokens.light.set(name, light)
  tokens.dark.set(name, dark)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of WCAG 2. */
function contrast(theme: Theme, one: string, other: string): number {
  const [high = 0, low = 0] = [one, other]
    .map((name) => luminance(tokens[theme].get(name) ?? '#------'))
    .toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const PLAIN = ['canvas', 'surface', 'raised']
const CARDS = ['revealed', 'watched', 'rejected', 'other']
const pairs = (inks: readonly string[], grounds: readonly string[]) =>
  inks.flatMap((ink) => grounds.map((ground) => [ink, ground] as const))

const TEXT = [
  ...pairs(['text', 'muted', 'accent'], [...PLAIN, ...CARDS]),
  ...pairs(['accent-strong'], [...PLAIN, ...CARDS]),
  ...pairs(['danger', 'success'], ['canvas', 'surface', 'raised']),
  ...pairs(['text'], ['line']),
  ...pairs(['on-accent'], ['accent', 'accent-strong']),
]

const EDGES = [
  ...pairs(['control-edge', 'accent', 'danger', 'success'], PLAIN),
  ...pairs(['control-edge'], CARDS),
  ...pairs(['accent', 'text', 'muted'], CARDS),
  ...CARDS.flatMap((card) => pairs([`${card}-edge`], [card, 'canvas'])),
  ...pairs(['accent'], ['card-back']),
]

for (const theme of THEMES) {
  // Evidence: wcag-1.4.3
  test(`each text of the ${theme} theme has a contrast of at least 4.5 to 1`, () => {
    const faint = TEXT.filter(([ink, ground]) => !(contrast(theme, ink, ground) >= 4.5))

    expect(faint.map(([ink, ground]) => `${ink} on ${ground}: ${contrast(theme, ink, ground).toFixed(2)}`)).toEqual([])
  })

  // Evidence: wcag-1.4.11
  test(`each edge and icon of the ${theme} theme has a contrast of at least 3 to 1`, () => {
    const faint = EDGES.filter(([ink, ground]) => !(contrast(theme, ink, ground) >= 3))

    expect(faint.map(([ink, ground]) => `${ink} on ${ground}: ${contrast(theme, ink, ground).toFixed(2)}`)).toEqual([])
  })
}

/** Tailwind classes that name a side of the screen, where right-to-left languages need the start or end of a line. */
const SIDE =
  /(?<![\w-])-?(?:[mp][lr]|left|right|border-[lr]|rounded-(?:[lr]|[tb][lr]))-[\d[]|\b(?:text|float)-(?:left|right)\b/u

test('styles use start and end instead of left and right', () => {
  const files = globSync('**/*.tsx', { cwd: source })
  const named = files.filter((file) => SIDE.test(readFileSync(join(source, file), 'utf8')))

  // A tooltip is placed by coordinates of the screen.
  expect([named, files.length > 100]).toEqual([['ui/tooltip.tsx'], true])
})
