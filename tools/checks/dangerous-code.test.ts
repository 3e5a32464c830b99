import { expect, test } from 'vitest'

import { read, repositoryFiles } from './repository.ts'

const program = repositoryFiles()
  .filter((path) => /^(?:contract|platform|identity|server|web)\/src\/.+\.tsx?$/u.test(path))
  .filter((path) => !/\.test\.tsx?$|\/testing\//u.test(path))
  .map((path) => ({ path, text: read(path) }))

function found(pattern: RegExp): string[] {
  return program.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => `${path}: ${match}`))
}

// Evidence: asvs-1.3.2, asvs-3.2.2
test('no text becomes markup or code: the program has no innerHTML, eval or the like', () => {
  expect(program.length).toBeGreaterThan(500)
  expect(
    found(
      /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcdoc/giu,
    ),
  ).toEqual([])
  // Its code is the constant 'gc', which is how Node gives a program its collector.
  expect(found(/'node:vm'/gu)).toEqual(["platform/src/runtime/idle-collection.ts: 'node:vm'"])
})

// Evidence: asvs-11.3.1, asvs-11.3.2
test('the only cipher is AES-256-GCM', () => {
  const ciphers = found(/create(?:Cipher|Decipher)iv\((?:'[\w-]+')?/gu)

  expect(ciphers.length).toBeGreaterThan(0)
  expect(ciphers.filter((cipher) => !cipher.endsWith("('aes-256-gcm'"))).toEqual([])
  expect(found(/(?:public|private)(?:En|De)crypt\(/gu)).toEqual([])
})

// Evidence: asvs-11.4.1, asvs-11.4.3
test('hashes are SHA-2 of at least 256 bits', () => {
  const hashes = found(
    /create(?:Hash|Hmac)\(\s*[^\s,)]+|(?<!subtle\.)\b(?:hash|hkdfSync|sign|verify)\(\s*'[^',)]+(?=')/gu,
  )

  expect(hashes.length).toBeGreaterThan(20)
  expect(hashes.filter((hash) => !/\('sha(?:256|384|512)'?$/u.test(hash))).toEqual([])
})
