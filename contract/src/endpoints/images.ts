import { z } from 'zod'

import { MAX_URL_LENGTH } from '../base/limits.ts'
import { endpoint, text } from '../base/endpoint.ts'

export const IMAGE_ENDPOINTS = {
  validateImageUrl: endpoint('POST', '/validate-image-url', {
    summary: 'Whether an image is at this address; 204 if so, 400 if not',
    auth: 'none',
    body: z.object({ url: text({ required: 'A URL is required', max: MAX_URL_LENGTH }) }),
    errors: ['BAD_REQUEST', 'SERVICE_UNAVAILABLE'],
    limit: 'checkUrl',
  }),
} as const
