import type { Query } from '@tanstack/react-query'

/** The queries that show something kept, and when it arrived. */
export const keptSince = new Map<Query, number>()
