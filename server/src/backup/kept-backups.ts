/** The name of a scheduled backup. In a bucket its letters are lower-case. */
const NAME = /^marquee-(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(\d\d)(\d{3})[Zz]\.tar$/u

/** Follows the name of a file that does not count as a backup yet. */
export const UNVERIFIED = '.unverified'

/** A verified backup of the schedule. */
export type KeptBackup = { readonly name: string; readonly madeAt: Date }

/** Where the schedule keeps its backups. One process at a time changes it. */
export type BackupPlace = {
  /**
   * Whether the master key is kept elsewhere, because the place may be read by others than those who may read the data
   * folder.
   */
  readonly isWithoutKey: boolean
  /** The verified backups, newest first. */
  readonly list: () => Promise<KeptBackup[]>
  /**
   * Keeps a local draft, which is gone afterwards. It counts once `verify` has accepted what the place gives back, under the
   * path of the draft. Returns where it is. If it rejects, the draft does not count.
   */
  readonly keep: (draft: Draft, verify: () => Promise<void>, signal: AbortSignal) => Promise<string>
  readonly remove: (name: string) => Promise<void>
  /** Removes what killed or failed attempts left. */
  readonly removeUnverified: () => Promise<void>
}

type Draft = { readonly path: string; readonly madeAt: Date }

/** The newest backup. A backup from a clock that was ahead of time says nothing about the last hours. */
export async function newestBackup({ list }: Pick<BackupPlace, 'list'>, now: Date): Promise<KeptBackup | undefined> {
  return (await list()).find(({ madeAt }) => madeAt <= now)
}

/** The same backups, newest first, and after them those from a clock that was ahead of time. */
export function byTrust(backups: readonly KeptBackup[], now: Date): KeptBackup[] {
  return [...backups.filter(({ madeAt }) => madeAt <= now), ...backups.filter(({ madeAt }) => madeAt > now)]
}

export function nameOf(madeAt: Date): string {
  return `marquee-${madeAt.toISOString().replaceAll(/[-:.]/gu, '')}.tar`
}

/** The backups among files, newest first. All other files are ignored. */
export function backupsAmong(names: readonly string[]): KeptBackup[] {
  const backups = names.flatMap((name) => {
    const [, ...parts] = NAME.exec(name) ?? []
    const [year, month, day, hour, minute, second, ms] = parts
    if (ms === undefined) return []
    return [{ name, madeAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) }]
  })
  return backups.toSorted((one, other) => other.madeAt.getTime() - one.madeAt.getTime())
}
