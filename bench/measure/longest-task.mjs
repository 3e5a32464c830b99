const MARK = 'measured from here'

/**
 * The longest task of a page's main thread during an action, in milliseconds of processor time: other programs on the machine
 * affect it least. `session` is a CDP session of the page.
 */
export async function longestTaskDuring(page, session, act) {
  const events = []
  const collect = ({ value }) => events.push(...value)
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'] },
  })
  await page.evaluate((mark) => void performance.mark(mark), MARK)
  await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)

  const { pid, tid } = events.find(({ name }) => name === MARK)
  const isTask = (event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid
  return Math.max(0, ...events.filter(isTask).map(({ tdur = 0 }) => tdur / 1000))
}
