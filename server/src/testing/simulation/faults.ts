import type { Chance } from './chance.ts'

/** How a step of the database fails. */
export type Fault =
  /** The step fails and does nothing. A transaction continues. */
  | 'fails'
  /** The step fails, and the database rolls back the whole transaction by itself. */
  | 'undoes all'
  /** Another process or transaction blocks the step. */
  | 'is in conflict'
  /** The connection breaks before the step is sent, on its way, or before its reply arrives. */
  | 'is cut off before'
  | 'is cut off under way'
  | 'is cut off after'
  /** The process is killed before the step or after it. */
  | 'is killed before'
  | 'is killed after'

export type Step = 'begin' | 'savepoint' | 'statement' | 'release' | 'rollback' | 'commit'

export type Faults = {
  /** The fault of a step, drawn from its possible faults. Most steps have none. */
  draw: (step: Step, from: readonly Fault[]) => Fault | undefined
  /** Whether a reply is lost on its way to the client. */
  losesAnswer: () => boolean
  /** Whether nothing fails but replies that are lost on their way. */
  isCalm: boolean
  /** Whether a service outside fails. */
  isOut: () => boolean
  /** No more faults. */
  stop: () => void
}

/** How often each fault was drawn, by step, and how often each kind of request succeeded, over all seeds. */
export type Tally = Map<string, number>

/** One in this many statements has a fault, and four times as many of the other steps, which are fewer. */
const RATES = [16, 40, 120, 1_000, Infinity]
const OTHER_STEPS = 4
const ANSWERS_FOR_ONE_LOST = 20
const MESSAGES_FOR_ONE_LOST = 8
const MOST_KILLS = 3

/** Some seeds have many faults, some hardly any. */
export function drawFaults(chance: Chance, tally: Tally): Faults {
  const rate = chance.pick(RATES) ?? 0
  let isOn = true
  let kills = 0

  return {
    draw: (step, from) => {
      if (!isOn || !chance.isOneIn(step === 'statement' ? rate : Math.ceil(rate / OTHER_STEPS))) return undefined
      const fault = chance.pick(from)
      if (fault === undefined) return undefined
      if (fault.startsWith('is killed')) {
        if (kills === MOST_KILLS) return undefined
        kills += 1
      }
      count(tally, `${step} ${fault}`)
      return fault
    },
    losesAnswer: () => {
      const isLost = isOn && chance.isOneIn(ANSWERS_FOR_ONE_LOST)
      if (isLost) count(tally, 'answer is lost')
      return isLost
    },
    isCalm: rate === Infinity,
    isOut: () => isOn && rate !== Infinity && chance.isOneIn(MESSAGES_FOR_ONE_LOST),
    stop: () => {
      isOn = false
    },
  }
}

export function count(tally: Tally, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

export function stepOf(sql: string): Step {
  const [, verb] = /^(begin|savepoint|release|rollback|commit)\b/u.exec(sql) ?? []
  return (verb as Step | undefined) ?? 'statement'
}
