import http from 'node:http'
import { dirname, join, relative } from 'node:path'

import { build } from 'rolldown'

const folder = import.meta.dirname
/**
 * What Fastify loads only when it is asked to, with `require`, and never is: `server/src` gives it other compilers, and
 * sends it no requests of its own. They stay out of the text that V8 keeps in memory.
 */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

/**
 * V8 keeps the text of a file in memory, with two bytes per character if a file has a single one beyond ASCII. Rolldown
 * escapes them everywhere but in comments and in the text of tagged templates.
 * @type {import('rolldown').Plugin}
 */
const ONE_BYTE = {
  name: 'one byte per character',
  generateBundle: (_options, files) => {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue
      const { fileName, code } = file
      // eslint-disable-next-line no-control-regex -- ASCII begins with control characters
      const [line] = /^.*[^\u0000-\u007F].*$/mu.exec(code) ?? []
      if (line !== undefined)
        throw new Error(`${fileName} has a character beyond ASCII, as in a tagged template: ${line}`)
    }
  },
}

const HTTP = '\0node-http'

/**
 * An `import` of `node:http` reads all its exports, some of which load the client of `fetch` when they are read. That takes
 * a tenth of a start. As a value, only what is used is read.
 * @type {import('rolldown').Plugin}
 */
const HTTP_AS_VALUE = {
  name: 'node:http as a value',
  resolveId: (name, _importer, { kind }) => (kind === 'import-statement' && name === 'node:http' ? HTTP : undefined),
  load: (id) => {
    if (id !== HTTP) return undefined
    const named = Object.keys(http).map((name) => `export const ${name} = /* @__PURE__ */ (() => http.${name})()`)
    return ["const http = process.getBuiltinModule('node:http')", 'export default http', ...named].join('\n')
  },
}

/** The server, the thread that parses, the commands of operators, and what one of them runs in a process of its own. */
const PROGRAMS = ['src/main.ts', 'src/parsing/parse-worker.ts', 'src/cli/marquee.ts', 'src/doctor/quick-check.ts']
/** Programs that the sources start, and where they are from the folder of the source that starts them. */
const STARTED = { "'../cli/marquee.ts'": "'../../dist/marquee.js'", "'quick-check.ts'": "'../../dist/quick-check.js'" }

/**
 * Bundles the programs of the server (docs/decisions/0038-built-server.md) into `draft`, for use in `output`: the sources find
 * other files by their own folder, which the bundle keeps. Each program is a build of its own, so that it loads only what it
 * uses. Returns the files that went into it.
 * `started` replaces places of `STARTED`.
 * @param {{ draft: string, output: string, started?: Readonly<Record<string, string>>, plugins?: import('rolldown').Plugin[], banner?: string }} options
 */
export async function bundle({ draft, output, started = {}, plugins = [], banner = '' }) {
  const modules = new Set()
  for (const program of PROGRAMS) {
    const { output: chunks } = await build({
      input: join(folder, program),
      platform: 'node',
      external: UNUSED,
      plugins: [HTTP_AS_VALUE, keepFolders(output), starting({ ...STARTED, ...started }), ONE_BYTE, ...plugins],
      output: {
        dir: draft,
        charset: 'ascii',
        // The licences are beside the libraries, or in a file of the artefact.
        comments: { jsdoc: false, legal: false },
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

/**
 * @param {Readonly<Record<string, string>>} started
 * @returns {import('rolldown').Plugin}
 */
function starting(started) {
  return {
    name: 'programs that are started',
    transform: {
      filter: { id: /server\/src\/(?:backup\/regular-backup|doctor\/database)\.ts$/u },
      handler: (code) => {
        const places = Object.entries(started).filter(([source]) => code.includes(source))
        if (places.length === 0) throw new Error('A program that the server starts has moved: correct STARTED')
        return places.reduce((text, [source, bundled]) => text.replace(source, bundled), code)
      },
    },
  }
}
