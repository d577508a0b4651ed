/** Explains a decision by the draft, or by the rules that decided or are in force. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"

export type ExplainedSubject = Pick<Schemas["ExplainRules"], "paymentId" | "request" | "at">

/** `subject`: `null` explains nothing. `text`: the draft; `null`: none. */
export const useExplanation = (subject: ExplainedSubject | null, text: string | null) => {
  const path = useTenant()
  const body = { ...subject, ...(text !== null && { text }) }
  return useQuery({
    queryKey: ["rules.explain", path, body],
    queryFn: async ({ signal }) => {
      const { data } = await call.POST("/dashboard/api/{account}/{mode}/rules/explain", {
        params: { path },
        body,
        signal
      })
      if (data === undefined) throw new Error("The explanation was answered without a body.")
      return data
    },
    enabled: subject !== null
  })
}
