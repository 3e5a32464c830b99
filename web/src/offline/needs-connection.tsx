import { useConnection } from '#web/api/connection.ts'

/** Says, while there is no connection, that something needs the others and cannot wait. */
export function NeedsConnection({ text }: { text: string }) {
  const isOnline = useConnection() === 'online'
  return isOnline ? null : <p className="text-sm text-muted">{text}</p>
}
