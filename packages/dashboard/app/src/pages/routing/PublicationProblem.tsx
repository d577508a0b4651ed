import { isProblem } from "../../api/problems.ts"
import { Note, ProblemNote } from "../../ui/Problem.tsx"

/** Why nothing was published. */
export const PublicationProblem = ({ error }: { readonly error: unknown }) => {
  if (isProblem(error, "version_conflict")) return null
  if (!isProblem(error, "forbidden")) return <ProblemNote error={error} />
  return (
    <Note tone="warn" role="alert">
      <p className="font-medium">Your access does not cover every account and mode that the rules apply to</p>
      <p>
        {error.problem.detail} Rules decide payments of all accounts, in test and live mode. Ask an owner to publish, or
        to give you the role “routing” in every account. The draft is kept.
      </p>
    </Note>
  )
}
