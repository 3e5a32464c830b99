// The load comes from a process of its own: it answers each order of its parent with what was measured.
import process from 'node:process'

import { drive } from './drive.mjs'

process.on('message', async (order) => {
  try {
    process.send({ result: await drive(order) })
  } catch (error) {
    process.send({ error: String(error.message ?? error) })
  }
})
process.on('disconnect', () => process.exit())
