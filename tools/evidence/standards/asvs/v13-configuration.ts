import type { Group } from '../../standard.ts'

export const configuration: Group = {
  title: 'V13 Configuration',
  requirements: [
    {
      id: '13.1.1',
      level: 2,
      says: 'all connections to other services are documented',
      answer: {
        met: 'by-design',
        reason:
          '[requests to other servers](docs/security/limits.md#requests-to-other-servers) and [settings](docs/settings.md)',
      },
    },
    {
      id: '13.2.1',
      level: 2,
      says: 'parts of the backend authenticate to each other, without constant passwords',
      answer: {
        met: 'no',
        missing: 'databases, Redis and mail servers are used with the constant passwords of the settings',
      },
    },
    {
      id: '13.2.2',
      level: 2,
      says: 'accounts of the backend have few rights',
      answer: {
        met: 'partly',
        missing:
          'the containers have none on the machine; but in the example with several processes the account of the database is its superuser, and that of the bucket its root',
      },
    },
    {
      id: '13.2.3',
      level: 2,
      says: 'no default passwords',
      answer: { met: 'tested', note: 'a script makes those of the set-up with several processes' },
    },
    {
      id: '13.2.4',
      level: 2,
      says: 'only listed systems can be called',
      answer: {
        met: 'partly',
        missing:
          'private networks are closed but for those that the operator lists; of the internet, any host can be called where a feature takes addresses',
      },
    },
    {
      id: '13.2.5',
      level: 2,
      says: 'the server loads only from listed places',
      answer: {
        met: 'partly',
        missing: 'files come only from the built web app and the data folder; for requests see 13.2.4',
      },
    },
    {
      id: '13.3.1',
      level: 2,
      says: 'a vault holds secrets; none is in code or artefacts',
      answer: {
        met: 'partly',
        missing:
          'secrets can be files of Docker or systemd, and none is in the image; the examples pass some in the environment, and there is no connection to a vault',
      },
    },
    {
      id: '13.3.2',
      level: 2,
      says: 'few can read secrets',
      answer: {
        met: 'partly',
        missing:
          'files of secrets are for one user only; but the process that decodes images runs as the same user as the server ([limits](docs/security/limits.md))',
      },
    },
    {
      id: '13.4.1',
      level: 1,
      says: 'no `.git` in production',
      answer: {
        met: 'by-design',
        reason:
          'the image is built from a list of folders ([.dockerignore](.dockerignore)), as is the artefact ([releasing](docs/releasing.md))',
      },
    },
    {
      id: '13.4.2',
      level: 2,
      says: 'no debug mode in production',
      answer: {
        met: 'by-design',
        reason: 'there is no such mode, and the image sets `NODE_ENV=production` ([Dockerfile](Dockerfile))',
      },
    },
    { id: '13.4.3', level: 2, says: 'folders are not listed', answer: { met: 'tested' } },
    { id: '13.4.4', level: 2, says: 'no TRACE', answer: { met: 'tested' } },
    {
      id: '13.4.5',
      level: 2,
      says: 'documentation and metrics are open only on purpose',
      answer: {
        met: 'tested',
        note: 'metrics have a port of their own; the description of the API is public on purpose',
      },
    },
  ],
}
