/**
 * How many findings of a rule each folder still has. A count may only be lowered, and a folder without findings leaves
 * the list. The rules apply in full to every folder that is not listed.
 */
const NOT_YET = {
  words: {},
  citations: {},
  cycles: {},
} as const satisfies Record<string, Record<string, number>>

export type Finding = { path: string; text: string }

/** What the developer has to mend: findings outside the listed folders, folders with too many, and outdated entries. */
export function toMend(rule: keyof typeof NOT_YET, findings: readonly Finding[]): string[] {
  const folders = Object.entries<number>(NOT_YET[rule])
  const isListed = ({ path }: Finding): boolean => folders.some(([folder]) => path.startsWith(`${folder}/`))
  const unlisted = findings.filter((finding) => !isListed(finding)).map(line)
  const listed = folders.flatMap(([folder, allowed]) => {
    const inFolder = findings.filter(({ path }) => path.startsWith(`${folder}/`))
    if (inFolder.length === 0) return [`${folder} has no findings left: remove it from NOT_YET.${rule}`]
    if (inFolder.length <= allowed) return []
    return [`${folder}: ${inFolder.length} findings, ${allowed} allowed`, ...inFolder.map(line)]
  })
  return [...unlisted, ...listed]
}

function line({ path, text }: Finding): string {
  return `${path}: ${text}`
}
