import { z } from 'zod'

import { IMAGE_URL_EXTENSIONS, MAX_IMAGE_BYTES } from '../base/limits.ts'

const DIRECT_IMAGE_URL = new RegExp(String.raw`^https?://\S+\.(?:${IMAGE_URL_EXTENSIONS.join('|')})(?:\?\S*)?$`, 'iu')
const DATA_URL = /^data:(image\/[a-z0-9.+-]+);base64,([a-z0-9+/]+={0,2})$/iu

/** Whether the extension says that the URL is an image. Such a URL is accepted without a request to it. */
export function isDirectImageUrl(url: string): boolean {
  return DIRECT_IMAGE_URL.test(url)
}

const HttpUrl = z.url({ protocol: /^https?$/u }).refine((url) => !/^https?:\/\/[^/?#]*@/iu.test(url))

/** Whether it is an http or https URL without a login. */
export function isHttpUrl(url: string): boolean {
  return HttpUrl.safeParse(url).success
}

export function isDataUrl(value: string): boolean {
  return value.startsWith('data:')
}

/** The media type and the decoded size in bytes of a base64 image data URL; undefined for anything else. */
export function readImageDataUrl(value: string): { mediaType: string; base64: string; bytes: number } | undefined {
  const match = DATA_URL.exec(value)
  const [, mediaType, base64] = match ?? []
  if (mediaType === undefined || base64 === undefined) return undefined
  const padding = /=*$/u.exec(base64)?.[0].length ?? 0
  return { mediaType: mediaType.toLowerCase(), base64, bytes: Math.floor((base64.length * 3) / 4) - padding }
}

export type ImageFault = 'type' | 'size'

/** The first rule that an image file breaks: the type starts with `image/`, the size is at most 5 MB. */
export function imageFault(file: { type: string; size: number }): ImageFault | undefined {
  if (!file.type.startsWith('image/')) return 'type'
  if (file.size > MAX_IMAGE_BYTES) return 'size'
  return undefined
}
