/**
 * Parses server-sent events from text in pieces. `onData` gets the data of each event. Comments and other fields are
 * ignored.
 */
export function createSseParser(onData: (data: string) => void): (piece: string) => void {
  let rest = ''
  let data: string[] = []

  function readLine(line: string): void {
    if (line === '') {
      if (data.length > 0) onData(data.join('\n'))
      data = []
      return
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? []
    if (field === 'data') data.push(value)
  }

  return (piece) => {
    // A carriage return at the end may be the first half of a line break.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/u)
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
  }
}
