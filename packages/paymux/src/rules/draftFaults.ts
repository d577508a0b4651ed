/** What is wrong with a draft of rules. */
import { RulesInvalid } from "@paymux/dashboard"
import type { RulesDiagnostic } from "@paymux/dashboard"
import type { PlacedFault } from "./RulesDocument.ts"

/** Larger rules belong in a file: each process holds its requests for a few ms while it puts new ones in force. */
const MOST_BYTES = 512 * 1024

/** `null`: it is not too long. Looked at before anything else reads the text. */
export const tooLong = (text: string): RulesInvalid | null => {
  // A text of so many units has as many bytes at least.
  const bytes = text.length > MOST_BYTES ? text.length : Buffer.byteLength(text)
  if (bytes <= MOST_BYTES) return null
  const most = MOST_BYTES / 1024
  return invalid([
    {
      position: null,
      message: `has ${Math.ceil(bytes / 1024)} KB; rules in the database may have at most ${most} KB. Keep larger rules in a file`
    }
  ])
}

/** A text may have a million problems: only the first are shown. */
const MOST_PROBLEMS = 1_000

export const invalid = (faults: ReadonlyArray<PlacedFault>): RulesInvalid =>
  new RulesInvalid({ problems: diagnostics(faults) })

export const diagnostics = (faults: ReadonlyArray<PlacedFault>): ReadonlyArray<RulesDiagnostic> =>
  faults.map(diagnostic).sort(byPlace).slice(0, MOST_PROBLEMS)

const diagnostic = ({ message, position }: PlacedFault): RulesDiagnostic => ({
  line: position?.line ?? null,
  column: position?.column ?? null,
  message
})

const byPlace = (a: RulesDiagnostic, b: RulesDiagnostic): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
