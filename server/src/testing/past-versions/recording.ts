import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { ServerProcess } from '../server-process.ts'

export const FOLDER = join(import.meta.dirname, 'recordings')

/** What a past server answered a user, or a guest without a name. */
export type Seen = { as: string | null; path: string; status: number; body: unknown }
export type Picture = { path: string; bytes: number; sha256: string }

/** What users saw at the end of the life of a past version: its own replies. */
export type Recording = {
  commit: string
  /** The moment after the last reply. */
  at: string
  /** For each user, what renews the session that was open. */
  refreshTokens: Readonly<Record<string, string>>
  /** A secret for a script, if the version had them. */
  personalToken: string | null
  seen: readonly Seen[]
  pictures: readonly Picture[]
}

/** The names of all versions with a recording. */
export function listRecordings(): string[] {
  return readdirSync(FOLDER).toSorted()
}

export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(join(FOLDER, name, 'seen.json'), 'utf8')) as Recording
}

/** Unpacks the data folder that a past version left. */
export async function unpackData(name: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  tar('-xzf', join(FOLDER, name, 'data.tar.gz'), '-C', dataDir)
}

export function tar(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tar failed: ${stderr}`)
}

/** The pictures that replies name, byte by byte. */
export async function fetchPictures({ url }: Pick<ServerProcess, 'url'>, seen: readonly Seen[]): Promise<Picture[]> {
  const paths = new Set(JSON.stringify(seen).match(/\/images\/[\w.-]+/gu))
  return await Promise.all(
    [...paths].toSorted().map(async (path) => {
      const reply = await fetch(`${url}${path}`)
      if (!reply.ok) throw new Error(`${path}: ${reply.status}`)
      const content = Buffer.from(await reply.arrayBuffer())
      return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    }),
  )
}
