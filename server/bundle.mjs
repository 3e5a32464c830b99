import { dirname, join, relative } from 'node:path'

import { build } from 'rolldown'

const folder = import.meta.dirname

/**
 * Bundles programs of the server (docs/decisions/0038-built-server.md) into `draft`, for use in `output`: the sources find
 * other files by their own folder, which the bundle keeps. Each program is a build of its own, so that it loads only what it
 * uses. Returns the files that went into it.
 * @param {readonly string[]} programs
 * @param {{ draft: string, output: string, plugins?: import('rolldown').Plugin[], banner?: string }} options
 */
export async function bundle(programs, { draft, output, plugins = [], banner = '' }) {
  const modules = new Set()
  for (const program of programs) {
    const { output: chunks } = await build({
      input: join(folder, program),
      platform: 'node',
      plugins: [keepFolders(output), ...plugins],
      // V8 keeps the text of a file in memory, with two bytes per character if one of them is beyond Latin-1.
      output: {
        dir: draft,
        charset: 'ascii',
        comments: { jsdoc: false },
        banner: (chunk) => (chunk.isEntry ? banner : ''),
      },
      logLevel: 'warn',
      // Otherwise only the start would fail.
      onLog: (level, log, report) => {
        report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log)
      },
    })
    for (const chunk of chunks) if ('moduleIds' in chunk) for (const id of chunk.moduleIds) modules.add(id)
  }
  return modules
}

/**
 * @param {string} output
 * @returns {import('rolldown').Plugin}
 */
function keepFolders(output) {
  return {
    name: 'keep folders',
    transform: {
      filter: { id: { exclude: /node_modules/u }, code: 'import.meta.dirname' },
      handler: (code, id) =>
        code
          .replaceAll("join(import.meta.dirname, 'parse-worker.ts')", "join(import.meta.dirname, 'parse-worker.js')")
          .replaceAll(
            /import\.meta\.dirname(?!, 'parse-worker)/gu,
            `\`\${import.meta.dirname}/${relative(output, dirname(id))}\``,
          ),
    },
  }
}
