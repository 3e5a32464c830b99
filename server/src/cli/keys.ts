import { type Command, Misuse } from './command.ts'
import { REFUSALS, withInstance } from './with-instance.ts'

/** Replaces the keys. All users stay signed in. */
export const keys: Command = {
  usage: 'keys rotate-signing | rotate-encryption',
  summary: [
    'rotate-signing: makes new keys for tokens, in use in an hour. rotate-encryption: encrypts everything again with',
    'the first master key of the settings; the earlier ones may be taken away afterwards.',
  ].join('\n      '),
  refusals: REFUSALS,
  run: async ([action, ...more], settings) => {
    if (more.length > 0 || (action !== 'rotate-signing' && action !== 'rotate-encryption'))
      throw new Misuse('Say which keys.')
    await withInstance(settings, async ({ identity }) => {
      if (action === 'rotate-signing') {
        const { kids, signsFrom } = await identity.keys.rotateSigning()
        console.log(`New keys ${kids.join(' and ')} sign from ${signsFrom}.`)
        return
      }
      console.log(`${await identity.keys.rotateEncryption()} values were encrypted again.`)
    })
  },
}
