import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { loadCustomChallenges } from './custom-challenges.ts'

const PAGE = join(import.meta.dirname, '../../docs/custom-challenges.md')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-plug-in-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function aFile(name: string, source: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, source)
  return path
}

test('no plug-in for custom challenges is loaded without the setting', async () => {
  expect(await loadCustomChallenges(undefined)).toBeUndefined()
})

test('the example in the documentation asks a question and issues tokens for the right answer', async () => {
  const source = /```js\n(?<code>.*?)```/su.exec(await readFile(PAGE, 'utf8'))?.groups?.['code'] ?? ''
  const plugIn = await loadCustomChallenges(await aFile('example.mjs', source))
  const run = async (name: 'define' | 'create' | 'verify', request: object) => {
    const event = { request, response: {} as Record<string, unknown> }
    await plugIn?.[name](event as never)
    return event.response
  }
  const round = (challengeName: string, challengeResult: boolean) => ({ challengeName, challengeResult })
  const afterSrp = [round('SRP_A', true), round('PASSWORD_VERIFIER', true)]

  expect(await run('define', { session: afterSrp.slice(0, 1) })).toEqual({ challengeName: 'PASSWORD_VERIFIER' })
  expect(await run('define', { session: afterSrp })).toEqual({ challengeName: 'CUSTOM_CHALLENGE' })
  expect(await run('define', { session: [] })).toEqual({ challengeName: 'CUSTOM_CHALLENGE' })
  const { publicChallengeParameters, privateChallengeParameters } = await run('create', { session: [] })
  expect(publicChallengeParameters).toEqual({ question: 'Which film has a sled in it?' })
  const verify = async (challengeAnswer: string) => await run('verify', { challengeAnswer, privateChallengeParameters })
  expect(await verify(' Citizen Kane ')).toEqual({ answerCorrect: true })
  expect(await verify('Titanic')).toEqual({ answerCorrect: false })
  expect(await run('define', { session: [round('CUSTOM_CHALLENGE', true)] })).toEqual({ issueTokens: true })
  const wrong = Array.from({ length: 4 }, () => round('CUSTOM_CHALLENGE', false))
  expect(await run('define', { session: wrong })).toEqual({ failAuthentication: true })
})

test.each([
  ['is not there', 'absent.mjs', undefined, 'could not be loaded'],
  ['throws', 'throws.mjs', 'throw new Error("no licence")', 'no licence'],
  ['lacks functions', 'lacks.mjs', 'export const define = () => {}; export const create = 1', 'create, verify'],
])('a plug-in that %s prevents the start, and the error names the setting', async (_what, name, source, reason) => {
  const path = source === undefined ? join(folder, name) : await aFile(name, source)

  const load = loadCustomChallenges(path)

  await expect(load).rejects.toThrow(/^These settings are wrong:\n {2}CUSTOM_CHALLENGES: /u)
  await expect(load).rejects.toThrow(reason)
})
