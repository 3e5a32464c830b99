#!/usr/bin/env node
// The program of the artefact (docs/releasing.md). Without arguments it is the server, with arguments a command of operators.
// It runs in any Node, to say which one it needs.
import process from 'node:process'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Marquee needs Node 20.19 or later. This is Node ${process.versions.node}.`)
  process.exitCode = 1
} else {
  const { run } = await import('./server/run.mjs')
  await run(process.argv.slice(2))
}
