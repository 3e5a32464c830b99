import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import subsetFont from 'subset-font'

const CACHE = join(import.meta.dirname, '../.cache/fonts')

const FONTS = [
  {
    name: 'inter',
    file: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    weights: { min: 400, max: 700 },
  },
  {
    name: 'bricolage-grotesque',
    file: '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
    weights: { min: 600, max: 800 },
  },
]

/** The characters of Western European languages, punctuation, and signs that titles use. */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x2010, 0x2027],
  [0x2030, 0x203a],
] as const
const OTHERS = 'ıŒœʻʼˆ˚˜€™↑↓−∕'

/** Spacing, ligatures and accents, which browsers apply by themselves, and digits of one width. */
const FEATURES = ['kern', 'liga', 'clig', 'calt', 'rlig', 'rclt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum']

const CHARACTERS = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
)
  .concat(OTHERS)
  .join('')

/** Makes fonts without what the app does not use, and gives them names for the style sheets. */
export async function subsetFonts() {
  await mkdir(CACHE, { recursive: true })
  return Promise.all(
    FONTS.map(async ({ name, file, weights }) => ({
      find: `@subset/${name}.woff2`,
      replacement: await subsetOf(name, file, weights),
    })),
  )
}

async function subsetOf(name: string, file: string, weights: { min: number; max: number }): Promise<string> {
  const font = await readFile(createRequire(import.meta.url).resolve(file))
  const options = {
    targetFormat: 'woff2' as const,
    keepFeatures: FEATURES,
    noHinting: true,
    variationAxes: { wght: weights },
  }
  const key = createHash('sha256').update(font).update(CHARACTERS).update(JSON.stringify(options)).digest('hex')
  const path = join(CACHE, `${name}-${key.slice(0, 16)}.woff2`)
  if (existsSync(path)) return path
  // Renamed when it is whole, since the build may be interrupted.
  await writeFile(`${path}.${process.pid}`, await subsetFont(font, CHARACTERS, options))
  await rename(`${path}.${process.pid}`, path)
  return path
}
