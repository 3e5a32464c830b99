import { expect, test } from 'vitest'

import { imageTypeOf } from './image-signature.ts'

const binary = (text: string) => Buffer.from(text, 'latin1')

/** The first box of an ISO media file. */
function fileType(brand: string, ...compatible: string[]): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(16 + compatible.length * 4)
  return Buffer.concat([size, binary(`ftyp${brand}\0\0\0\0${compatible.join('')}`), binary('\0\0\0\x08mdat')])
}

test.each([
  ['jpeg', binary('\xFF\xD8\xFF\xE0\0\x10JFIF')],
  ['png', binary('\x89PNG\r\n\x1A\n\0\0\0\rIHDR')],
  ['gif', binary('GIF87a')],
  ['gif', binary('GIF89a\x01\0\x01\0')],
  ['webp', binary('RIFF\x24\0\0\0WEBPVP8 ')],
  ['avif', fileType('avif', 'mif1', 'miaf')],
  ['avif', fileType('mif1', 'miaf', 'avif')],
  ['avif', fileType('avis', 'msf1')],
])('%s is known by its first bytes', (type, bytes) => {
  expect(imageTypeOf(bytes)).toBe(type)
})

test('the bytes are read where a view of a larger buffer begins', () => {
  const within = binary('....GIF89a')

  expect(imageTypeOf(within.subarray(4))).toBe('gif')
  expect(imageTypeOf(new Uint8Array(within.buffer, within.byteOffset, 10))).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['a web page', '<!doctype html><img src="a.png">'],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['an SVG with its XML head', '<?xml version="1.0"?><svg/>'],
  ['a PDF', '%PDF-1.7'],
  ['a cut signature of a JPEG', '\xFF\xD8'],
  ['a cut signature of a PNG', '\x89PNG\r\n\x1A'],
  ['a PNG that went through a text editor', '\x89PNG\n\x1A\n'],
  ['a GIF of no version', 'GIF90a'],
  ['a sound in a RIFF', 'RIFF\x24\0\0\0WAVEfmt '],
  ['a page with an image behind it', '<html>\x89PNG\r\n\x1A\n'],
])('%s is no image', (_what, text) => {
  expect(imageTypeOf(binary(text))).toBeUndefined()
})

test.each([
  ['a film', fileType('isom', 'mp41')],
  ['an HEIC, which browsers do not show', fileType('heic', 'mif1')],
  ['a film that has the word behind its brands', Buffer.concat([fileType('isom'), binary('avif')])],
  ['a file type cut short', fileType('isom', 'avif').subarray(0, 18)],
])('%s is no image', (_what, bytes) => {
  expect(imageTypeOf(bytes)).toBeUndefined()
})
