import type { Group } from '../../standard.ts'

export const cryptography: Group = {
  title: 'V11 Cryptography',
  requirements: [
    {
      id: '11.1.1',
      level: 2,
      says: 'a policy for keys and their life, after a standard',
      answer: {
        met: 'partly',
        missing:
          '[what is stored](docs/security/stored.md) describes each key and its rotation, but follows no standard such as NIST SP 800-57',
      },
    },
    {
      id: '11.1.2',
      level: 2,
      says: 'an inventory of keys, algorithms and certificates',
      answer: {
        met: 'partly',
        missing: '[what is stored](docs/security/stored.md) lists them, but not what a key may not be used for',
      },
    },
    {
      id: '11.2.1',
      level: 2,
      says: 'implementations are validated by the industry',
      answer: {
        met: 'partly',
        missing:
          'all but one are those of Node and of known libraries. SRP, which neither has, is our own, tested against published and foreign handshakes',
      },
    },
    {
      id: '11.2.2',
      level: 2,
      says: 'algorithms and keys can be replaced',
      answer: {
        met: 'partly',
        missing:
          'keys can be, and rows are encrypted again; algorithms are fixed in the code and partly by the protocol of Cognito',
      },
    },
    {
      id: '11.2.3',
      level: 2,
      says: '128 bits of security everywhere',
      answer: { met: 'partly', missing: 'tokens are signed with RSA of 2,048 bits, about 112 bits of security' },
    },
    { id: '11.3.1', level: 1, says: 'no weak modes and paddings of encryption', answer: { met: 'tested' } },
    {
      id: '11.3.2',
      level: 1,
      says: 'only approved ciphers and modes',
      answer: {
        met: 'partly',
        missing: 'our own is AES-256-GCM; push messages use AES-128-GCM, as RFC 8291 prescribes',
      },
    },
    { id: '11.3.3', level: 2, says: 'encrypted data cannot be changed unnoticed', answer: { met: 'tested' } },
    {
      id: '11.4.1',
      level: 1,
      says: 'only approved hashes',
      answer: {
        met: 'partly',
        missing:
          'all hashes of our own are SHA-2. Authenticator apps use HMAC with SHA-1, as RFC 6238 says and most apps only can',
      },
    },
    {
      id: '11.4.2',
      level: 2,
      says: 'passwords are stored with a slow derivation',
      answer: {
        met: 'no',
        missing:
          'the SRP of Cognito prescribes SHA-256 and one exponentiation. The verifier is encrypted with a key outside the database',
      },
    },
    {
      id: '11.4.3',
      level: 2,
      says: 'hashes of signatures resist collisions, with 256 bits',
      answer: { met: 'tested' },
    },
    {
      id: '11.4.4',
      level: 2,
      says: 'keys from passwords are stretched',
      answer: {
        met: 'not-applicable',
        reason: 'no key is derived from a password, but for the session key of SRP, see 11.4.2',
      },
    },
    {
      id: '11.5.1',
      level: 2,
      says: 'secrets are random, with 128 bits',
      answer: {
        met: 'partly',
        missing: 'tokens and keys are. Codes that people type have fewer, and live under limits of time and attempts',
      },
    },
    {
      id: '11.6.1',
      level: 2,
      says: 'approved algorithms make keys and signatures',
      answer: {
        met: 'partly',
        missing:
          'keys are made by OpenSSL; tokens are signed with RS256, as Cognito prescribes, whose padding (PKCS#1 v1.5) the standard does not approve',
      },
    },
  ],
}
