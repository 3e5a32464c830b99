// Prints the figures of a run as one table. The first argument is the file of figures.
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

const VERDICTS = new Map([
  [true, 'met'],
  [false, 'MISSED'],
])

const [path] = process.argv.slice(2)
const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
const rows = lines.map((line) => JSON.parse(line))
const texts = rows.map(({ what, measured, target = '', met }) => [what, measured, target, VERDICTS.get(met) ?? ''])
const head = ['what', 'measured', 'target', '']
const widths = head.map((title, column) => Math.max(title.length, ...texts.map((text) => text[column].length)))
const print = (cells) =>
  console.log(
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  )
print(head)
print(widths.map((width) => '─'.repeat(width)))
for (const text of texts) print(text)
