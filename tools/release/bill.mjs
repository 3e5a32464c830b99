import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from '../run/dependencies.mjs'

const LICENCE = /^(?:licen[cs]e|copying|notice|ofl)/iu
const RULE = '-'.repeat(80)

/** Name, version and folder of each package, in order. @param {Iterable<string>} folders */
export function describe(folders) {
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return { name, version, license, folder }
    })
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.version, other.version))
    .filter((one, at, all) => at === 0 || idOf(one) !== idOf(all[at - 1]))
}

/** The licences of packages. One without a file of its licence has its README here, which lists the licences of its parts. */
export function licencesOf(packages) {
  const texts = packages.map(({ name, version, license, folder }) => {
    const files = readdirSync(folder).toSorted()
    const named = files.filter((file) => LICENCE.test(file))
    const shown = named.length > 0 ? named : files.filter((file) => file === 'README.md')
    const content = shown.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
    return `${RULE}\n${name} ${version} (${license})\n${RULE}\n\n${content.replaceAll('\r\n', '\n')}\n`
  })
  return `Marquee contains these ${packages.length} packages of others.\n\n${texts.join('\n')}`
}

/**
 * The bill of materials of npm (CycloneDX), with only what is in the artefact, and without what differs from run to run.
 * @param {{ name: string, version: string }[]} packages
 * @param {{ version: string, commit: string, time: Date }} release
 */
export function billOf(packages, { version, commit, time }) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include=dev', '--loglevel=error']
  const { status, stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error('npm sbom failed')
  const all = JSON.parse(stdout)
  const inside = new Set(packages.map(idOf))
  const components = all.components
    .filter((part) => inside.has(idOf(part)))
    .map((part) => ({ ...part, 'bom-ref': idOf(part), scope: 'required', properties: [] }))
  const known = new Set(components.map(idOf))
  const unknown = [...inside].filter((id) => !known.has(id))
  if (unknown.length > 0) throw new Error(`npm sbom does not know ${unknown.join(', ')}`)
  const self = { ...all.metadata.component, 'bom-ref': `marquee@${version}`, name: 'marquee', properties: [] }
  const dependencies = all.dependencies
    .filter(({ ref }) => inside.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => inside.has(one)) }))
  const bill = {
    ...all,
    serialNumber: `urn:uuid:${uuidOf(`${commit} ${version}`)}`,
    metadata: {
      timestamp: time.toISOString(),
      lifecycles: [{ phase: 'build' }],
      tools: [{ vendor: 'npm', name: 'cli' }],
      component: { ...self, type: 'application' },
    },
    components,
    dependencies: [{ ref: `marquee@${version}`, dependsOn: [...inside] }, ...dependencies],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** What the changelog says about the version; before it is named there, what is not released yet. */
export function changesOf(version) {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^(?=## \[)/mu)
  const [unreleased, named] = ['Unreleased', version].map((title) =>
    sections.find((section) => section.startsWith(`## [${title}]`)),
  )
  const isEmpty = unreleased === undefined || unreleased.trim().split('\n').length === 1
  return `${(isEmpty ? named : unreleased)?.trim() ?? ''}\n`
}

/** The lines of `sha256sum`. @param {string} folder @param {string[]} names */
export function sumsOf(folder, names) {
  const lines = names
    .filter((name) => existsSync(join(folder, name)))
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}`,
    )
  return `${lines.join('\n')}\n`
}

function idOf({ name, version }) {
  return `${name}@${version}`
}

/** Names differ between languages in order, but not between machines. */
function compare(one, other) {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
