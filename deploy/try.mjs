// Part of the image build: starts the server with an empty data folder, waits until it is ready, and stops it. Fails if it
// does not start or does not stop cleanly. Node fills the compile cache in NODE_COMPILE_CACHE meanwhile.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

const PORT = '3999'
const WAITS = 300
const WAIT_MS = 100

const folder = await mkdtemp(join(tmpdir(), 'marquee-try-'))
const env = { ...process.env, HOST: '127.0.0.1', PORT, DATA_DIR: folder }
const server = spawn(process.execPath, ['server/dist/main.js'], { env, stdio: 'inherit' })
const ended = new Promise((resolve) => {
  server.once('exit', resolve)
})
try {
  const isReady = await becomesReady()
  server.kill('SIGTERM')
  const code = await ended
  if (!isReady) console.error('The program did not become ready.')
  process.exitCode = isReady && code === 0 ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function becomesReady() {
  for (let wait = 0; wait < WAITS && server.exitCode === null; wait += 1) {
    const ok = await fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ok) return true
    await pause(WAIT_MS)
  }
  return false
}
