/**
 * Opens a database of this device once for all who ask, and again after a failure. It is closed when another tab deletes it, which
 * must not wait. `prepare` makes its stores.
 */
export function databaseOf(name: string, prepare: (database: IDBDatabase) => void): () => Promise<IDBDatabase> {
  let opened: Promise<IDBDatabase> | undefined
  const forget = () => {
    opened = undefined
  }
  const open = async () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.addEventListener('upgradeneeded', () => prepare(request.result))
      request.addEventListener('error', () => reject(failureOf(request)))
      request.addEventListener('success', () => {
        const database = request.result
        database.addEventListener('versionchange', () => {
          database.close()
          forget()
        })
        database.addEventListener('close', forget)
        resolve(database)
      })
    })
  return async () => {
    opened ??= open().catch((error: unknown) => {
      forget()
      throw error
    })
    return opened
  }
}

/** Why a request or a transaction failed. */
export function failureOf({ error }: { error: DOMException | null }): Error {
  return error ?? new Error('The database of this device did not do it')
}
