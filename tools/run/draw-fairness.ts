import { createHash, createHmac } from 'node:crypto'

import { DRAW_RULES, type DrawPerson, type DrawRule } from '../../contract/src/entities/draw.ts'
import {
  type Below,
  blockMessage,
  integersFrom,
  MAX_WAITING_WEIGHT,
  oddsOf,
  pickTickets,
  waitingWeight,
} from '../../contract/src/rules/draw.ts'

const BOXES = { Ana: 2, Ben: 5, Cleo: 10, Dora: 40, Eli: 100 }
const DRAWS = 100_000
const NIGHTS = 52
const YEARS = 200

type Person = Pick<DrawPerson, 'weight' | 'tickets'> & { username: string }

const tickets = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`)

/** Tables with the critical values of chi-square at 0.001, for 7, 9 and 9 degrees of freedom. */
export const CASES = {
  cards: { people: [{ weight: 1, tickets: tickets('any', 8) }], critical: 24.32 },
  'people, one card wanted by two': {
    people: [
      { weight: 1, tickets: tickets('ana', 7) },
      { weight: 1, tickets: ['ana 0', ...tickets('ben', 2)] },
      { weight: 1, tickets: tickets('cleo', 1) },
    ],
    critical: 27.88,
  },
  'waiting, one card wanted by two': {
    people: [
      { weight: 1, tickets: tickets('ana', 7) },
      { weight: 4, tickets: ['ana 0', ...tickets('ben', 2)] },
      { weight: 10, tickets: tickets('cleo', 1) },
    ],
    critical: 27.88,
  },
}

/** The random numbers of a draw whose server seed and one client seed follow from its name. */
function numbersOf(name: string): Below {
  const key = createHash('sha256').update(name).digest()
  const seed = createHash('sha256').update(`seed of ${name}`).digest('hex')
  return integersFrom((index) =>
    createHmac('sha256', key)
      .update(blockMessage(index, [seed]))
      .digest(),
  )
}

/**
 * How far simulated draws are from their exact odds. For fair draws the result has the chi-square distribution, with one
 * degree of freedom fewer than there are tickets.
 */
export function chiSquareOf(people: readonly Pick<DrawPerson, 'weight' | 'tickets'>[], draws: number): number {
  const tickets = [...new Set(people.flatMap((person) => person.tickets))]
  const seen = new Map(tickets.map((ticket) => [ticket, 0]))
  for (let n = 0; n < draws; n += 1) {
    for (const { ticket } of pickTickets(people, 1, numbersOf(`draw ${n}`))) {
      seen.set(ticket, (seen.get(ticket) ?? 0) + 1)
    }
  }
  return tickets.reduce((sum, ticket) => {
    const expected = draws * oddsOf(people, ticket)
    return sum + ((seen.get(ticket) ?? 0) - expected) ** 2 / expected
  }, 0)
}

/** How many films of each person a club watches in a year with a night a week, with one rule. */
function yearOf(rule: DrawRule, year: number): Map<string, number> {
  let people: Person[] = Object.entries(BOXES).map(([username, count]) => ({
    username,
    weight: 1,
    tickets: Array.from({ length: count }, (_, n) => `${username} ${n}`),
  }))
  const accepted: string[][] = []
  const films = new Map(people.map(({ username }) => [username, 0]))
  for (let night = 0; night < NIGHTS; night += 1) {
    const recent = accepted.slice(0, MAX_WAITING_WEIGHT - 1)
    const weighed = people.map((person) => ({ ...person, weight: waitingWeight(person.username, recent) }))
    const alike = [{ weight: 1, tickets: people.flatMap(({ tickets }) => tickets) }]
    const table = { cards: alike, people, waiting: weighed }[rule]
    const [pick] = pickTickets(table, 1, numbersOf(`${rule} ${year} ${night}`))
    const winner = pick?.ticket.split(' ')[0] ?? ''
    films.set(winner, (films.get(winner) ?? 0) + 1)
    accepted.unshift([winner])
    people = people
      .map((person) => ({ ...person, tickets: person.tickets.filter((ticket) => ticket !== pick?.ticket) }))
      .filter(({ tickets }) => tickets.length > 0)
  }
  return films
}

/** The films of each person in a year under each rule, on average, as a table in Markdown. */
export function fairnessTable(): string {
  const average = (rule: DrawRule) => {
    const years = Array.from({ length: YEARS }, (_, year) => yearOf(rule, year))
    return (username: string) => years.reduce((sum, films) => sum + (films.get(username) ?? 0), 0) / YEARS
  }
  const columns = DRAW_RULES.map((rule) => average(rule))
  const rows = Object.entries(BOXES).map(([username, count]) => {
    const cells = columns.map((films) => films(username).toFixed(1).padStart(7))
    return `| ${username.padEnd(6)} | ${String(count).padStart(5)} | ${cells.join(' | ')} |`
  })
  const head = `| person | cards | ${DRAW_RULES.map((rule) => `\`${rule}\``.padStart(7)).join(' | ')} |`
  return [head, '| ------ | ----: | ------: | -------: | --------: |', ...rows].join('\n')
}

// `node tools/run/draw-fairness.ts` prints the table of docs/product/draws.md, and compares many draws with their odds.
if (import.meta.main) {
  console.log(`${fairnessTable()}\n`)
  for (const [rule, { people, critical }] of Object.entries(CASES)) {
    const chiSquare = chiSquareOf(people, DRAWS).toFixed(1)
    console.log(`${rule}: chi-square of ${DRAWS.toLocaleString('en')} draws ${chiSquare}, at most ${critical}`)
  }
}
