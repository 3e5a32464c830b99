import process from 'node:process'

// The bundle is only in the artefact.
const { runCommand } = await import(String(new URL('dist/marquee.js', import.meta.url)))

process.umask(0o077)
const code = await runCommand(process.argv.slice(2), process.env)
// A failed command may have left a connection open, which would keep the process alive.
if (code === 0) process.exitCode = 0
else process.exit(code)
