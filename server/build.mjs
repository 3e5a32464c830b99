// Builds the server into dist/: one file, one for the thread that parses, and one for each library that is loaded on
// demand (docs/decisions/0038-built-server.md).
import { renameSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'

import { build } from 'rolldown'

const output = join(import.meta.dirname, 'dist')
/**
 * What Fastify loads only when it is asked to, with `require`, and never is: `server/src` gives it other compilers, and
 * sends it no requests of its own. They stay out of the text that V8 keeps in memory.
 */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']
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
    external: UNUSED,
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
      {
        name: 'one byte per character',
        generateBundle: (_options, files) => {
          for (const { fileName, code } of Object.values(files)) requireAscii(fileName, code)
        },
      },
    ],
    // The licences are beside the libraries, in node_modules.
    output: { dir: draft, charset: 'ascii', comments: { jsdoc: false, legal: false } },
    logLevel: 'warn',
    // Otherwise only the start would fail.
    onLog: (level, log, report) => {
      report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log)
    },
  })
}

/**
 * V8 keeps the text of a file in memory, with two bytes per character if a file has a single one beyond ASCII. Rolldown
 * escapes them everywhere but in comments and in the text of tagged templates.
 *
 * @param {string} fileName
 * @param {string} code
 */
function requireAscii(fileName, code) {
  // eslint-disable-next-line no-control-regex -- ASCII begins with control characters
  const [line] = /^.*[^\u0000-\u007F].*$/mu.exec(code) ?? []
  if (line !== undefined) throw new Error(`${fileName} has a character beyond ASCII, as in a tagged template: ${line}`)
}
