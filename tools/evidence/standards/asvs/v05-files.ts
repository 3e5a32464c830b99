import type { Group } from '../../standard.ts'

export const files: Group = {
  title: 'V5 Files',
  requirements: [
    {
      id: '5.1.1',
      level: 2,
      says: 'types, extensions and sizes of uploads are documented, and what happens to a malicious file',
      answer: {
        met: 'partly',
        missing:
          'types and sizes are, for [images](docs/product/images.md), [imports](docs/product/imports.md) and [all bodies](docs/security/limits.md#limits-for-images-and-request-bodies); extensions are not',
      },
    },
    { id: '5.2.1', level: 1, says: 'files are only as large as the server can process', answer: { met: 'tested' } },
    {
      id: '5.2.2',
      level: 1,
      says: 'the content of a file is of an allowed type',
      answer: {
        met: 'partly',
        missing: 'the content is checked; the extension of an import is not compared with it',
      },
    },
    {
      id: '5.2.3',
      level: 2,
      says: 'archives are checked for size and number of files before they are unpacked',
      answer: { met: 'tested', note: 'each file before it is unpacked, 24 MB in all' },
    },
    {
      id: '5.3.1',
      level: 1,
      says: 'uploaded files are not executed',
      answer: {
        met: 'tested',
        note: 'only images are stored, encoded again, and the server runs no file of its data folder',
      },
    },
    { id: '5.3.2', level: 1, says: 'paths are not made from names of users', answer: { met: 'tested' } },
    {
      id: '5.4.1',
      level: 2,
      says: 'names that users give are checked or ignored, and downloads set one',
      answer: { met: 'tested' },
    },
    { id: '5.4.2', level: 2, says: 'names of files are encoded in headers', answer: { met: 'tested' } },
    {
      id: '5.4.3',
      level: 2,
      says: 'files of strangers are scanned for viruses',
      answer: {
        met: 'no',
        missing:
          'there is no scanner. Images of users are encoded again, posters come from the catalogue as they are, and no other file is served',
      },
    },
  ],
}
