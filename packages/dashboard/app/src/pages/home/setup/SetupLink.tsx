/** Leads back to the checklist while steps are missing. */
import type { Search } from "../../../lists/search.ts"
import { ButtonLink } from "../../../ui/Button.tsx"
import { isDone, stepNames, useSetupFacts } from "./facts.ts"

export const SetupLink = () => {
  const { facts } = useSetupFacts(0)
  if (facts === null) return null
  const done = isDone(facts)
  const count = stepNames.filter((name) => done[name]).length
  return count === stepNames.length ? null : (
    <ButtonLink to="." search={(before: Search) => ({ ...before, view: "setup" })}>
      Setup: {count} of {stepNames.length}
    </ButtonLink>
  )
}
