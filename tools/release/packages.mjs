import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { extract } from 'tar'

import { root } from '../run/dependencies.mjs'

/** Where images can be decoded, and where a Node without its own SQLite finds one. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64']
/** Packages with native code, and what they need. They cannot be bundled. */
const BESIDE = ['sharp', '@img/colour', 'detect-libc', 'semver', '@photostructure/sqlite', 'node-gyp-build']

const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const fetched = join(root, '.cache', 'packages')

/**
 * The folders of the locked packages that stay beside the bundled server, by their names. Those of other machines are fetched
 * from the registry once, and must have the locked hash.
 * @param {readonly string[]} platforms
 */
export function packagesBeside(platforms) {
  const native = platforms.flatMap((name) => [`@img/sharp-${name}`, `@img/sharp-libvips-${name}`])
  const folders = new Map()
  for (const name of [...BESIDE, ...native]) folders.set(name, installedFolder(name) ?? fetchPackage(name))
  return folders
}

/** @param {string} name */
function installedFolder(name) {
  const folder = join(root, 'node_modules', name)
  if (!existsSync(join(folder, 'package.json'))) return undefined
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return version === lockOf(name).version ? folder : undefined
}

/** @param {string} name */
function fetchPackage(name) {
  const { version, integrity } = lockOf(name)
  const folder = join(fetched, `${name.replace('/', '+')}@${version}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const args = [
    'pack',
    `${name}@${version}`,
    '--pack-destination',
    draft,
    '--json',
    '--prefer-offline',
    '--loglevel=error',
  ]
  const { status, stdout } = spawnSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error(`npm could not fetch ${name}@${version}`)
  const packed = Object.values(JSON.parse(stdout))[0]
  const file = join(draft, packed.filename)
  const hash = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (hash !== integrity) throw new Error(`${name}@${version} has another hash than in package-lock.json`)
  extract({ file, cwd: draft, strip: 1, sync: true })
  rmSync(file)
  renameSync(draft, folder)
  return folder
}

/** @param {string} name */
function lockOf(name) {
  const entry = locked[`node_modules/${name}`]
  if (entry === undefined) throw new Error(`package-lock.json does not have ${name}`)
  return entry
}
