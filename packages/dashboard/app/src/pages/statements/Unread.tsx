import { isProblem } from "../../api/problems.ts"
import { Empty, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"

const EveryAccountNeeded = () => (
  <Empty title="Statements need a role in every account">
    <p>
      A provider&apos;s statement contains the charges of all accounts. Only people with a role in every account of this
      mode see it. Ask an owner of the installation if you need access.
    </p>
  </Empty>
)

interface UnreadProps {
  readonly error: unknown
  readonly onRetry: () => void
}

/** In the place of what is being read, or cannot be. */
export const Unread = ({ error, onRetry }: UnreadProps) => {
  if (error === null) return <SkeletonLines lines={8} />
  return isProblem(error, "forbidden") ? <EveryAccountNeeded /> : <ProblemNote error={error} onRetry={onRetry} />
}
