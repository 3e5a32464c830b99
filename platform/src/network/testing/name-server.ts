import { createSocket } from 'node:dgram'

import { onTestFinished } from 'vitest'

const HEADER_BYTES = 12
const SERVER_FAILURE = 2
const RECORD_TYPES = { A: 1, AAAA: 28 } as const

/** The raw addresses of each record type, as bytes in hex. A type without a list makes that query fail. */
export type Records = { [Type in keyof typeof RECORD_TYPES]?: readonly string[] }

/** A name server on 127.0.0.1 for one test that has the same records for every name. Returns its address. */
export async function aNameServer(records: Records): Promise<string> {
  return await listening((query) => answerTo(query, records))
}

/** A name server that never replies. */
export async function aSilentNameServer(): Promise<string> {
  return await listening(() => undefined)
}

async function listening(answer: (query: Buffer) => Buffer | undefined): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const reply = answer(query)
    if (reply) socket.send(reply, peer.port, peer.address)
  })
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    socket.close()
  })
  return `127.0.0.1:${socket.address().port}`
}

function answerTo(query: Buffer, records: Records): Buffer {
  const endOfName = query.indexOf(0, HEADER_BYTES) + 1
  const question = query.subarray(HEADER_BYTES, endOfName + 4)
  const type = query.readUInt16BE(endOfName)
  const known = type === RECORD_TYPES.AAAA ? records.AAAA : records.A
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2) // the id
  header.writeUInt16BE(0x8180 + (known ? 0 : SERVER_FAILURE), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(known?.length ?? 0, 6)
  const answers = (known ?? []).map((hex) => {
    const address = Buffer.from(hex, 'hex')
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc000 + HEADER_BYTES, 0) // the name asked for
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4) // internet
    record.writeUInt32BE(60, 6) // seconds to live
    record.writeUInt16BE(address.length, 10)
    return Buffer.concat([record, address])
  })
  return Buffer.concat([header, question, ...answers])
}
