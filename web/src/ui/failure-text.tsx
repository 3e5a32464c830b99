/** What failed, and below it why, where there is something to say. */
export function FailureText({ what, why }: { what: string; why: string | undefined }) {
  return (
    <>
      <p>{what}</p>
      {why !== undefined && why !== what && <p className="text-sm">{why}</p>}
    </>
  )
}
