import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { build } from 'vite'

import { billOf, changesOf, describe, licencesOf, sumsOf } from '../release/bill.mjs'
import { PLATFORMS } from '../release/packages.mjs'
import { packageFolders, stage } from '../release/stage.mjs'
import { pack } from '../release/tarball.mjs'
import { root } from './dependencies.mjs'

const MOST_BYTES = 40 * 1024 * 1024
/** Their files are in the web app, although no script imports them. */
const STYLES = ['tailwindcss', '@fontsource-variable/bricolage-grotesque', '@fontsource-variable/inter']
const PLACES = ['node_modules', 'web/node_modules']

/**
 * `npm run release`: makes the artefact and what belongs to it in `dist/` (docs/releasing.md), from a clean tree. With
 * `--check` it makes everything twice and compares the bytes.
 */
export async function run(args) {
  if (args.some((arg) => arg !== '--check')) {
    console.error('Usage: npm run release [-- --check]')
    return 2
  }
  if (git('status', '--porcelain') !== '') {
    console.error('The tree has changes that are not committed. A release is made of a commit.')
    return 1
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commit = git('rev-parse', 'HEAD')
  const release = { version, commit, time: new Date(Number(git('log', '-1', '--format=%ct')) * 1000) }
  const output = join(root, 'dist')
  const names = await make(output, release)
  if (args.includes('--check') && !(await isSameAgain(output, names, release))) return 1
  console.log(
    `\n${readFileSync(join(output, 'SHA256SUMS'), 'utf8')}\nThe release of ${commit.slice(0, 8)} is in dist/.`,
  )
  return 0
}

/** Returns the names of the files that it makes. */
async function make(output, release) {
  const { version, time } = release
  const scratch = mkdtempSync(join(tmpdir(), 'marquee-release-'))
  try {
    rmSync(output, { recursive: true, force: true })
    mkdirSync(output, { recursive: true })
    const [web, folder] = [join(scratch, 'web'), join(scratch, 'marquee')]
    const ofWeb = await buildWeb(web)
    const inside = new Set([...(await stage(folder, { web, version, platforms: PLATFORMS })), ...ofWeb])
    const packages = describe(inside)
    const texts = {
      [`marquee-${version}.sbom.json`]: billOf(packages, release),
      [`marquee-${version}.licences.txt`]: licencesOf(packages),
      [`marquee-${version}.changes.md`]: changesOf(version),
    }
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(output, name), text)
    writeFileSync(join(folder, 'LICENCES.txt'), licencesOf(packages))
    const artefact = `marquee-${version}.tgz`
    const file = join(output, artefact)
    await pack(folder, { file, prefix: `marquee-${version}`, program: 'marquee.mjs', time })
    const { length } = readFileSync(file)
    if (length > MOST_BYTES) throw new Error(`${artefact} has ${length} bytes, which is more than 40 MB`)
    const names = [artefact, ...Object.keys(texts)]
    writeFileSync(join(output, 'SHA256SUMS'), sumsOf(output, names))
    return [...names, 'SHA256SUMS']
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Returns the folders of the packages that are in the web app. */
async function buildWeb(outDir) {
  const modules = new Set(
    STYLES.flatMap((name) => PLACES.map((place) => join(root, place, name, 'package.json'))).filter(existsSync),
  )
  const collect = {
    name: 'collect modules',
    generateBundle: (_options, bundle) => {
      for (const file of Object.values(bundle)) for (const id of file.moduleIds ?? []) modules.add(id)
    },
  }
  const web = join(root, 'web')
  const configFile = join(web, 'vite.config.ts')
  await build({ root: web, configFile, logLevel: 'warn', build: { outDir }, plugins: [collect] })
  return packageFolders(modules)
}

async function isSameAgain(output, names, release) {
  const second = mkdtempSync(join(tmpdir(), 'marquee-again-'))
  try {
    await make(second, release)
    const differing = names.filter((name) => !readFileSync(join(output, name)).equals(readFileSync(join(second, name))))
    if (differing.length > 0) console.error(`A second build differs in ${differing.join(', ')}.`)
    return differing.length === 0
  } finally {
    rmSync(second, { recursive: true, force: true })
  }
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}
