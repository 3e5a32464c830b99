import { MediaServerFault } from './port.ts'

type Version = readonly [major: number, minor: number]

/** @throws {MediaServerFault} `version` if the first two numbers of a version are below these */
export function requireVersion(version: string, first: Version): void {
  if (!isFrom(version, first)) throw new MediaServerFault('version', version.slice(0, 40))
}

/** Whether the first two numbers of a version are these or later ones. @throws {MediaServerFault} `other-server` if it has none */
export function isFrom(version: string, [major, minor]: Version): boolean {
  const [, first, second] = /^(\d{1,6})\.(\d{1,6})(?!\d)/u.exec(version) ?? []
  if (first === undefined || second === undefined) throw new MediaServerFault('other-server', 'no version')
  return Number(first) > major || (Number(first) === major && Number(second) >= minor)
}
