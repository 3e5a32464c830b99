import type { Group } from '../../standard.ts'

export const encoding: Group = {
  title: 'V1 Encoding and sanitization',
  requirements: [
    { id: '1.1.1', level: 2, says: 'input is decoded once, before it is checked', answer: { met: 'tested' } },
    { id: '1.1.2', level: 2, says: 'escaping is the last step before the interpreter', answer: { met: 'tested' } },
    {
      id: '1.2.1',
      level: 1,
      says: 'output is escaped for its context: markup, attributes, headers',
      answer: { met: 'tested' },
    },
    {
      id: '1.2.2',
      level: 1,
      says: 'parts of URLs are encoded, and only safe schemes are allowed',
      answer: { met: 'tested' },
    },
    {
      id: '1.2.3',
      level: 1,
      says: 'no injection into JavaScript or JSON',
      answer: {
        met: 'by-design',
        reason:
          'no script is made at run time, and replies are serialized from checked objects ([mount.ts](platform/src/http/mount.ts))',
      },
    },
    {
      id: '1.2.4',
      level: 1,
      says: 'no injection into database queries',
      answer: {
        met: 'tested',
        note: 'values are always parameters of Kysely; SQL is only in stores, migrations and the platform’s database code',
      },
    },
    {
      id: '1.2.5',
      level: 1,
      says: 'no injection into commands of the system',
      answer: {
        met: 'by-design',
        reason:
          'programs are started with fixed names and a list of arguments, without a shell ([decoder.ts](server/src/rooms/movies/images/decoder.ts), [database.ts](server/src/doctor/database.ts), [regular-backup.ts](server/src/backup/regular-backup.ts))',
      },
    },
    {
      id: '1.2.6',
      level: 2,
      says: 'no injection into LDAP',
      answer: { met: 'not-applicable', reason: 'there is no LDAP' },
    },
    {
      id: '1.2.7',
      level: 2,
      says: 'no injection into XPath',
      answer: { met: 'not-applicable', reason: 'there is no XPath' },
    },
    {
      id: '1.2.8',
      level: 2,
      says: 'LaTeX is processed safely',
      answer: { met: 'not-applicable', reason: 'there is no LaTeX' },
    },
    {
      id: '1.2.9',
      level: 2,
      says: 'special characters in regular expressions are escaped',
      answer: {
        met: 'by-design',
        reason:
          'patterns are constants; the one that is made at run time, from our own texts, is escaped ([message-patterns.ts](web/src/i18n/message-patterns.ts))',
      },
    },
    {
      id: '1.3.1',
      level: 1,
      says: 'HTML of users is sanitized',
      answer: { met: 'not-applicable', reason: 'no field takes HTML; a text with tags shows its tags' },
    },
    { id: '1.3.2', level: 1, says: 'no `eval` and no other execution of text', answer: { met: 'tested' } },
    {
      id: '1.3.3',
      level: 2,
      says: 'data for a dangerous context is cleaned and cut before',
      answer: { met: 'tested' },
    },
    { id: '1.3.4', level: 2, says: 'SVG of users has no scripts', answer: { met: 'tested', note: 'SVG is refused' } },
    {
      id: '1.3.5',
      level: 2,
      says: 'markup of users, such as Markdown or CSS, is made harmless',
      answer: {
        met: 'tested',
        note: 'texts are plain here, and escaped where Discord, Slack and Matrix read Markdown',
      },
    },
    {
      id: '1.3.6',
      level: 2,
      says: 'no forged requests of the server (SSRF)',
      answer: {
        met: 'tested',
        note: 'a guard checks scheme, port and the address that is dialled. Users give links, so any public domain and path is allowed',
      },
    },
    {
      id: '1.3.7',
      level: 2,
      says: 'no templates from input',
      answer: {
        met: 'by-design',
        reason:
          'templates are files of the program, and input fills their gaps as escaped text ([write-mail.ts](platform/src/mail/write-mail.ts))',
      },
    },
    {
      id: '1.3.8',
      level: 2,
      says: 'no injection into JNDI',
      answer: { met: 'not-applicable', reason: 'there is no Java' },
    },
    {
      id: '1.3.9',
      level: 2,
      says: 'no injection into memcache',
      answer: { met: 'not-applicable', reason: 'there is no memcache' },
    },
    {
      id: '1.3.10',
      level: 2,
      says: 'no format strings from input',
      answer: {
        met: 'not-applicable',
        reason: 'no input is used as a text with placeholders; those are part of the program',
      },
    },
    { id: '1.3.11', level: 2, says: 'no injection into mail systems', answer: { met: 'tested' } },
    {
      id: '1.4.1',
      level: 2,
      says: 'strings and memory are handled safely',
      answer: {
        met: 'by-design',
        reason:
          'the program is TypeScript; images are decoded by native code, in a process of its own with limits ([decision 24](docs/decisions/0024-images-are-decoded-under-limits.md))',
      },
    },
    { id: '1.4.2', level: 2, says: 'numbers cannot overflow', answer: { met: 'tested' } },
    { id: '1.4.3', level: 2, says: 'memory and resources are released', answer: { met: 'tested' } },
    {
      id: '1.5.1',
      level: 1,
      says: 'XML parsers resolve no external entities',
      answer: {
        met: 'by-design',
        reason:
          'no call takes XML; the replies of S3 are read by its own client; pages, also in XHTML, are read by an HTML parser, which has no entities to resolve ([fetch-page.ts](server/src/rooms/movies/catalogue/fetch-page.ts))',
      },
    },
    {
      id: '1.5.2',
      level: 2,
      says: 'only allowed types are deserialized',
      answer: {
        met: 'tested',
        note: 'JSON, against schemas; forms, CSV, archives and the CBOR of passkeys yield only plain values',
      },
    },
  ],
}
