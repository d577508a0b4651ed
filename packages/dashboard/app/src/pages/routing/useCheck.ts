/** Checks the text of rules against the providers of the server. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"

export type Diagnostic = Schemas["RulesDiagnostic"]

export interface Checked {
  /** What was checked. */
  readonly text: string
  readonly problems: ReadonlyArray<Diagnostic>
  /** What is valid and does nothing, or something else than it seems to. */
  readonly warnings: ReadonlyArray<Diagnostic>
  /** How many rules it has; `null`: it is not valid. */
  readonly rules: number | null
  /** All problems are payments without a provider: the text may be published if that is accepted. */
  readonly isAcceptable: boolean
}

/** The result of the latest text: an answer about an earlier one is dropped. `enabled`: the person may check. */
export const useCheck = (text: string, enabled: boolean, refetchOnMount: "always" | true = true) => {
  const path = useTenant()
  return useQuery<Checked>({
    queryKey: ["rules.check", path, text],
    queryFn: async ({ signal }) => {
      try {
        const { data } = await call.POST("/dashboard/api/{account}/{mode}/rules/check", {
          params: { path },
          body: { text },
          signal
        })
        if (data === undefined) throw new Error("The check was answered without a body.")
        return data.valid
          ? { text, problems: [], warnings: data.warnings, rules: data.rules, isAcceptable: false }
          : {
              text,
              problems: data.problems,
              warnings: [],
              rules: null,
              isAcceptable: data.acceptable === true
            }
      } catch (error) {
        if (!isProblem(error, "payload_too_large")) throw error
        return {
          text,
          problems: [{ line: null, column: null, message: tooLarge }],
          warnings: [],
          rules: null,
          isAcceptable: false
        }
      }
    },
    enabled,
    refetchOnMount,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData
  })
}

/**
 * Payments that a text would leave without a provider now, which have to be accepted by the person who publishes it. Time alone changes
 * them, as outages begin and end: they are read anew each time. `undefined`: the text is not known yet.
 */
export const useRejected = (text: string | undefined) => {
  const { data, refetch } = useCheck(text ?? "", text !== undefined, "always")
  return {
    rejected: data !== undefined && data.text === text && data.isAcceptable ? data.problems : [],
    readAgain: refetch
  }
}

const tooLarge = "is larger than rules in the database may be (512 KB). Keep larger rules in a file"

/** `Line 4, column 9: …`; of the text as a whole: `The text …`. */
export const diagnosticText = ({ column, line, message }: Diagnostic): string =>
  line === null ? `The text ${message}` : `Line ${line}, column ${column ?? 1}: ${message}`
