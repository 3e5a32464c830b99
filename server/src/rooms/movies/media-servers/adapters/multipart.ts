const MAX_PARTS = 10
const MAX_HEAD_LENGTH = 2_000

/**
 * The first part of a form that has one of these names. Pictures, which come as other parts, are passed over. Undefined if
 * there is none, or the form cannot be read.
 */
export function textPart(contentType: string, body: string, names: readonly string[]): string | undefined {
  const { quoted, plain } =
    /;\s*boundary=(?:"(?<quoted>[^"]{1,70})"|(?<plain>[^\s;"]{1,70}))/iu.exec(contentType)?.groups ?? {}
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const line = `--${boundary}`
  let from = body.startsWith(line) ? 0 : body.indexOf(`\r\n${line}`)
  for (let part = 0; part < MAX_PARTS && from >= 0; part += 1) {
    const start = body.indexOf('\r\n', from + line.length)
    const head = start < 0 ? -1 : body.indexOf('\r\n\r\n', start)
    const end = head < 0 ? -1 : body.indexOf(`\r\n${line}`, head)
    if (end < 0 || head - start > MAX_HEAD_LENGTH) return undefined
    const name = /^content-disposition:[^\r\n]*;\s*name="?(?<name>[\w-]{1,40})"?/imu.exec(body.slice(start, head))
      ?.groups?.['name']
    if (name !== undefined && names.includes(name)) return body.slice(head + 4, end)
    from = end + 2
  }
  return undefined
}
