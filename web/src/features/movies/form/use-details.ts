import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { movieDetails } from './catalogue.ts'
import type { FoundMovie } from './movie-values.ts'
import type { Candidate } from './use-movie-search.ts'

/** The details of a movie that the user only passes on the way to another are not read. */
const READ_AFTER_MS = 150

/** Reads all about the chosen movie, once the choice rests for a moment. */
export function useDetails(chosen: Candidate | undefined) {
  const client = useQueryClient()
  const [restingId, setRestingId] = useState<string>()
  const id = chosen?.id
  useEffect(() => {
    const timer = setTimeout(() => setRestingId(id), READ_AFTER_MS)
    return () => clearTimeout(timer)
  }, [id])
  const { data, isError } = useQuery(movieDetails(id === restingId ? chosen?.result : undefined))
  const found = chosen?.found ?? (id === restingId ? data : undefined)
  return {
    found,
    isReading: chosen !== undefined && found === undefined && !isError,
    /** Undefined if it cannot be read. */
    read: async ({ found: known, result }: Candidate): Promise<FoundMovie | undefined> => {
      if (known !== undefined) return known
      try {
        return await client.query(movieDetails(result))
      } catch {
        return undefined
      }
    },
  }
}
