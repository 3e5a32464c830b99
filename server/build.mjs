// Builds the server into dist/: one file, one for the thread that parses, and one for each library that is loaded on
// demand (docs/decisions/0038-built-server.md).
import { renameSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'

import { build } from 'rolldown'

const output = join(import.meta.dirname, 'dist')
/** Another process may build at the same time, or start what is there. */
const draft = join(import.meta.dirname, `../.cache/server.${process.pid}`)

try {
  // Each is a build of its own, so that the thread loads only what it uses.
  for (const input of ['src/main.ts', 'src/parsing/parse-worker.ts']) await buildProgram(input)
  rmSync(output, { recursive: true, force: true })
  renameSync(draft, output)
} finally {
  rmSync(draft, { recursive: true, force: true })
}

/** @param {string} input */
async function buildProgram(input) {
  await build({
    input: join(import.meta.dirname, input),
    platform: 'node',
    plugins: [
      {
        name: 'keep folders',
        transform: {
          filter: { id: { exclude: /node_modules/u }, code: 'import.meta.dirname' },
          // The sources find other files by their own folder.
          handler: (code, id) =>
            code
              .replaceAll(
                "join(import.meta.dirname, 'parse-worker.ts')",
                "join(import.meta.dirname, 'parse-worker.js')",
              )
              .replaceAll(
                /import\.meta\.dirname(?!, 'parse-worker)/gu,
                `\`\${import.meta.dirname}/${relative(output, dirname(id))}\``,
              ),
        },
      },
    ],
    // V8 keeps the text of a file in memory, with two bytes per character if one of them is beyond Latin-1.
    output: { dir: draft, charset: 'ascii', comments: { jsdoc: false } },
    logLevel: 'warn',
    // Otherwise only the start would fail.
    onLog: (level, log, report) => {
      report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log)
    },
  })
}
