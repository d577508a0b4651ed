/** Matching and dismissing a report: what both do before and after. */
import { useMutation } from "@tanstack/react-query"
import { queryClient, reread } from "../../api/client.ts"
import { toast } from "../../ui/Toast.tsx"
import type { Report } from "./reportWords.ts"

interface Decision<Entered> {
  readonly report: Report
  readonly send: (entered: Entered) => Promise<unknown>
  readonly done: string
  readonly onClose: () => void
}

export const useDecision = <Entered>({ done, onClose, report, send }: Decision<Entered>) => {
  const mutationKey = ["report", report.id]
  const decide = useMutation({
    mutationKey,
    mutationFn: send,
    onSuccess: () => {
      toast(done)
      onClose()
    },
    // Someone else may have decided, or an answer may have been lost: what is shown must be what is known.
    onSettled: () => reread("/dashboard/api/{account}/{mode}/reports/{id}", "/dashboard/api/{account}/{mode}/reports")
  })
  return {
    decide,
    /** The second click of a double click may come before the page shows that the first one acts. */
    once: (entered: Entered) => {
      if (queryClient.isMutating({ mutationKey }) === 0) decide.mutate(entered)
    }
  }
}
