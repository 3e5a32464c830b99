/** Of a backup of the schedule. Names in a bucket have lower-case letters. */
const NAME = /^marquee-(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(\d\d)(\d{3})[Zz]\.tar$/u

/** Follows the name of what is no backup yet. */
export const UNVERIFIED = '.unverified'

/** A verified backup of the schedule. */
export type KeptBackup = { readonly name: string; readonly madeAt: Date }

/** Where the schedule keeps its backups. One process at a time changes it. */
export type BackupPlace = {
  /** Whether the master key is kept elsewhere, because others than those of the data folder may read the place. */
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

/** The newest backup. Those of a clock that was ahead of time say nothing about the last hours. */
export async function newestBackup({ list }: Pick<BackupPlace, 'list'>, now: Date): Promise<KeptBackup | undefined> {
  return (await list()).find(({ madeAt }) => madeAt <= now)
}

/** The same backups, newest first, and behind them those of a clock that was ahead of time. */
export function byTrust(backups: readonly KeptBackup[], now: Date): KeptBackup[] {
  return [...backups.filter(({ madeAt }) => madeAt <= now), ...backups.filter(({ madeAt }) => madeAt > now)]
}

export function nameOf(madeAt: Date): string {
  return `marquee-${madeAt.toISOString().replaceAll(/[-:.]/gu, '')}.tar`
}

/** The backups among files, newest first. Other files are none, whatever they are. */
export function backupsAmong(names: readonly string[]): KeptBackup[] {
  const backups = names.flatMap((name) => {
    const [, ...parts] = NAME.exec(name) ?? []
    const [year, month, day, hour, minute, second, ms] = parts
    if (ms === undefined) return []
    return [{ name, madeAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) }]
  })
  return backups.toSorted((one, other) => other.madeAt.getTime() - one.madeAt.getTime())
}
