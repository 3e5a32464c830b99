// Creates the load in its own process: runs each order of its parent and replies with the measurement.
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
