import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'

import { bundle } from '../../server/bundle.mjs'
import { root } from '../run/dependencies.mjs'
import { packagesBeside } from './packages.mjs'

/** The folders are those of the artefact. */
const inside = join(import.meta.dirname, 'inside')
/** A command starts through a file that prepares older versions of Node. */
const STARTED = { "'../cli/marquee.ts'": "'../../commands.mjs'" }
/** Files that the server opens while it runs, where its sources have them. */
const OPENED = [
  'server/src/texts/locales',
  'server/src/openapi/page.css',
  'server/src/rooms/movies/images/decode-process.mjs',
  'identity/src/base/mails/locales',
]
/** For operators. */
const ALSO = [
  'LICENSE',
  ...['marquee.service', 'Caddyfile', 'nginx-site.conf', 'traefik.yaml'].map((name) => `deploy/${name}`),
]
/** Source code in C++, types and maps, and native code for other platforms. */
const SUPERFLUOUS = /\/(?:src|install|scripts|aarch64|node_modules)(?:\/|$)|\.(?:d\.[cm]?ts|map|gyp|cc|h|musl\.node)$/u

/**
 * Lays out the artefact in an empty folder: the server as three programs, the built web app, and the packages that cannot be
 * bundled. Returns the folders of all packages that are in it, except those of the web app.
 * @param {string} folder
 * @param {{ web: string, version: string, platforms: readonly string[] }} options
 */
export async function stage(folder, { web, version, platforms }) {
  const server = join(folder, 'server')
  mkdirSync(server, { recursive: true })
  const modules = await bundle({
    draft: join(server, 'dist'),
    // The layout is that of the repository.
    output: join(root, 'server', 'dist'),
    started: STARTED,
    plugins: [forAnyNode, ownCommands],
    banner: "import '#older-node'",
  })
  for (const path of OPENED) cpSync(join(root, path), join(folder, path), { recursive: true, filter: isNoTest })
  cpSync(web, join(folder, 'web', 'dist'), { recursive: true, filter: (path) => !path.endsWith('.built-from') })
  const beside = packagesBeside(platforms)
  for (const [name, source] of beside) copyPackage(source, join(server, 'node_modules', name), platforms)
  cpSync(inside, folder, { recursive: true })
  for (const path of ALSO) cpSync(join(root, path), join(folder, path))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(version), null, 2)}\n`)
  return new Set([...beside.values(), ...packageFolders(modules)])
}

/** The folders of the packages that files belong to. @param {Iterable<string>} files */
export function packageFolders(files) {
  const folders = new Set()
  for (const file of files) {
    const folder = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/u.exec(file)?.[1]
    if (folder !== undefined) folders.add(folder)
  }
  return folders
}

/** npm installs nothing for a package without dependencies, so it needs no network. @param {string} version */
function manifest(version) {
  const { description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: 'marquee',
    version,
    description,
    license,
    type: 'module',
    bin: { marquee: 'marquee.mjs' },
    imports: { '#sqlite': './server/sqlite.mjs', '#older-node': './server/older-node.mjs' },
    engines: { node: '>=20.19' },
  }
}

const forAnyNode = {
  name: 'for any Node',
  resolveId: {
    filter: { id: /^(?:node:sqlite|#older-node)$/u },
    handler: (id) => ({ id: id === 'node:sqlite' ? '#sqlite' : id, external: true }),
  },
}

const ownCommands = {
  name: 'own commands',
  transform: {
    filter: { id: /server\/src\//u, code: 'npm run marquee' },
    handler: (code) => code.replaceAll(/npm run marquee(?: --)?/gu, 'node marquee.mjs'),
  },
}

/**
 * @param {string} source
 * @param {string} target
 * @param {readonly string[]} platforms
 */
function copyPackage(source, target, platforms) {
  const isWanted = (/** @type {string} */ path) => {
    const part = path.slice(source.length).replaceAll(sep, '/')
    const platform = /^\/prebuilds\/([^/]+)/u.exec(part)?.[1]
    return !SUPERFLUOUS.test(part) && (platform === undefined || platforms.includes(platform))
  }
  cpSync(source, target, { recursive: true, filter: isWanted })
}

/** @param {string} path */
function isNoTest(path) {
  return !path.endsWith('.test.ts')
}
