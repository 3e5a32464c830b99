const CELLS = 24
const BETWEEN_MS = 100

/** Shows progress: a bar on a terminal, otherwise a line at the end of each step. */
export function progressBar(out: NodeJS.WriteStream): (step: { title: string; done: number; of: number }) => void {
  let drawnAt = 0
  return ({ title, done, of }) => {
    const isDone = done >= of
    if (!isDone && (!out.isTTY || performance.now() - drawnAt < BETWEEN_MS)) return
    drawnAt = performance.now()
    const share = of === 0 ? 1 : Math.min(1, done / of)
    const full = Math.round(share * CELLS)
    const bar = `${'█'.repeat(full)}${'░'.repeat(CELLS - full)}`
    const numbers = `${done.toLocaleString('en')} of ${of.toLocaleString('en')}`
    out.write(out.isTTY ? `\r\u001B[K${bar} ${title}: ${numbers}${isDone ? '\n' : ''}` : `${title}: ${numbers}\n`)
  }
}
