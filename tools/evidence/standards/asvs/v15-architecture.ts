import type { Group } from '../../standard.ts'

export const architecture: Group = {
  title: 'V15 Secure coding and architecture',
  requirements: [
    {
      id: '15.1.1',
      level: 1,
      says: 'time limits for updates of vulnerable libraries are documented',
      answer: { met: 'tested', note: 'in the [security policy](SECURITY.md)' },
    },
    {
      id: '15.1.2',
      level: 2,
      says: 'a bill of materials of trusted sources',
      answer: {
        met: 'by-design',
        reason:
          'each release has one in CycloneDX ([releasing](docs/releasing.md)), and versions and hashes are locked ([package-lock.json](package-lock.json))',
      },
    },
    {
      id: '15.1.3',
      level: 2,
      says: 'expensive functions and their limits are documented',
      answer: {
        met: 'by-design',
        reason:
          '[limits for images and bodies](docs/security/limits.md#limits-for-images-and-request-bodies) and [performance](docs/performance.md)',
      },
    },
    {
      id: '15.2.1',
      level: 1,
      says: 'no library is older than these time limits allow',
      answer: {
        met: 'partly',
        missing:
          '[updates are proposed](.github/dependabot.yml) in time for the limits, but nothing measures whether they were kept',
      },
    },
    { id: '15.2.2', level: 2, says: 'expensive functions cannot exhaust the server', answer: { met: 'tested' } },
    {
      id: '15.2.3',
      level: 2,
      says: 'production has no test code and other extras',
      answer: {
        met: 'by-design',
        reason:
          'the image leaves out tests and their tools ([.dockerignore](.dockerignore)), and an install for production has neither ([releasing](docs/releasing.md))',
      },
    },
    { id: '15.3.1', level: 1, says: 'replies have only the fields that are needed', answer: { met: 'tested' } },
    { id: '15.3.2', level: 2, says: 'redirects are followed only on purpose', answer: { met: 'tested' } },
    {
      id: '15.3.3',
      level: 2,
      says: 'only intended fields can be written',
      answer: {
        met: 'tested',
        note: 'for the user pool and for cards; calls read only the fields of their schema ([endpoints](contract/src/endpoints.ts))',
      },
    },
    { id: '15.3.4', level: 2, says: 'the address of a client cannot be forged', answer: { met: 'tested' } },
    { id: '15.3.5', level: 2, says: 'types are checked, comparisons are strict', answer: { met: 'tested' } },
    { id: '15.3.6', level: 2, says: 'no pollution of prototypes', answer: { met: 'tested' } },
    { id: '15.3.7', level: 2, says: 'repeated and mixed parameters do no harm', answer: { met: 'tested' } },
  ],
}
