import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')
/** The workspaces that a server consists of. */
const PARTS = ['contract', 'platform', 'identity', 'server']

export type EarlierVersion = { readonly program: string; remove: () => Promise<void> }

/** The server of a commit, in a temporary folder, with the packages that are installed for this version. */
export async function unpackVersion(commit: string): Promise<EarlierVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-earlier-'))
  const archive = join(folder, 'version.tar')
  run('git', ['archive', '--output', archive, commit, 'package.json', ...PARTS])
  run('tar', ['-xf', archive, '-C', folder])
  await linkPackages(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'node_modules/@marquee'))
  for (const part of PARTS) {
    await symlink(join(folder, part), join(folder, 'node_modules/@marquee', part))
    const own = join(ROOT, part, 'node_modules')
    await linkPackages(own, join(folder, part, 'node_modules'))
  }
  return {
    program: join(folder, 'server/src/main.ts'),
    remove: async () => {
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Links each package, because the folder of all packages would lead to the workspaces of this version. */
async function linkPackages(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => [])
  await mkdir(to, { recursive: true })
  for (const name of names) {
    if (name !== '@marquee' && name !== '.bin') await symlink(join(from, name), join(to, name))
  }
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`)
}
