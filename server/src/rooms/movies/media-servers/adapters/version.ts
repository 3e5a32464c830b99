import { MediaServerFault } from './port.ts'

/** @throws {MediaServerFault} `version` if the first two numbers of a version are below these */
export function requireVersion(version: string, [major, minor]: readonly [number, number]): void {
  const [, first, second] = /^(\d{1,6})\.(\d{1,6})(?!\d)/u.exec(version) ?? []
  if (first === undefined || second === undefined) throw new MediaServerFault('other-server', 'no version')
  if (Number(first) > major || (Number(first) === major && Number(second) >= minor)) return
  throw new MediaServerFault('version', `${first}.${second}`)
}
