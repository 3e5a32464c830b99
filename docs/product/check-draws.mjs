/** Checks the receipts of draws: node check-draws.mjs receipt.json ... */
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const compare = (one, other) => (one < other ? -1 : 1)

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([one], [other]) => compare(one, other))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}

const sha256 = (data) => createHash('sha256').update(data).digest('hex')

function* integers(serverSeed, seeds) {
  const tail = Buffer.from([...new Set(seeds)].toSorted(compare).join(''), 'hex')
  for (let block = 0; ; block += 1) {
    const index = Buffer.alloc(4)
    index.writeUInt32BE(block)
    const digest = createHmac('sha256', Buffer.from(serverSeed, 'hex')).update(index).update(tail).digest()
    for (let at = 0; at < 32; at += 8) yield digest.readBigUInt64BE(at)
  }
}

function below(stream, limit) {
  const end = (2n ** 64n / BigInt(limit)) * BigInt(limit)
  for (;;) {
    const integer = stream.next().value
    if (integer < end) return Number(integer % BigInt(limit))
  }
}

function draw({ serverSeed, picks, people }, seeds) {
  const stream = integers(serverSeed, seeds)
  const drawn = []
  let left = people
  while (drawn.length < picks && left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0)
    let place = below(stream, total)
    const person = left.find(({ weight }) => (place -= weight) < 0)
    const ticket = person.tickets[below(stream, person.tickets.length)]
    const having = left.filter(({ tickets }) => tickets.includes(ticket))
    drawn.push({ ticket, odds: having.reduce((sum, { weight, tickets }) => sum + weight / total / tickets.length, 0) })
    left = left
      .map(({ weight, tickets }) => ({ weight, tickets: tickets.filter((each) => each !== ticket) }))
      .filter(({ tickets }) => tickets.length > 0)
  }
  return drawn
}

const hashOfSeed = (seed) => sha256(Buffer.from(seed, 'hex'))

/** A receipt without hashes is of the older kind. */
const isOlder = ({ hashes }) => (hashes ?? null) === null

const isSorted = (values) => values.every((value, n) => n === 0 || values[n - 1] < value)

/** What is wrong. */
function check({ table, commitment, hashes, seeds, picked, ...facts }) {
  const names = table.people.flatMap(({ username }) => username ?? [])
  const expected = draw(table, seeds)
  const isSame = picked.length === expected.length && picked.every(({ ticket }, n) => ticket === expected[n].ticket)
  return [
    [names, ...table.people.map(({ tickets }) => tickets)].every(isSorted) || 'the table is not in order',
    ...['watchlistId', 'drawNumber', 'rule', 'filter', 'picks'].map(
      (name) => canonical(facts[name]) === canonical(table[name]) || `${name} is not the one of the table`,
    ),
    sha256(canonical(table)) === commitment || 'the table is not the one of the commitment',
    seeds.length > 0 || 'no device has contributed a seed',
    isOlder({ hashes }) ||
      canonical(hashes) === canonical([...new Set(seeds.map(hashOfSeed))].toSorted(compare)) ||
      'the seeds are not the ones of the hashes',
    isSame || 'the seeds draw other tickets',
    !isSame || picked.every(({ odds }, n) => Math.abs(odds - expected[n].odds) <= 1e-9) || 'the odds are wrong',
    picked.every(({ ticket, cardId, secret }) => sha256(`marquee-ticket:${cardId}:${secret}`) === ticket) ||
      'a ticket is not the one of its card',
  ].filter((result) => result !== true)
}

const receipts = process.argv
  .slice(2)
  .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')))
  .toSorted((one, other) => one.drawNumber - other.drawNumber)
let number = receipts[0].drawNumber
for (const receipt of receipts) {
  for (; number < receipt.drawNumber; number += 1) {
    process.exitCode = 1
    console.log(`Draw ${number}: is missing`)
  }
  number = receipt.drawNumber + 1
  if (receipt.status !== 'revealed' || receipt.commitment === null) {
    const absent = (receipt.absent ?? []).map(({ name }) => name).join(', ')
    const reason = absent && ` because of absent devices: ${absent}`
    console.log(`Draw ${receipt.drawNumber}: ${receipt.status}${reason}, cannot be checked`)
    continue
  }
  const mistakes = check(receipt)
  if (mistakes.length > 0) process.exitCode = 1
  const kind = isOlder(receipt) ? ' (older kind, without hashes)' : ''
  console.log(`Draw ${receipt.drawNumber}: ${mistakes.join('; ') || 'right'}${kind}`)
}
