/** Says that numbers lag behind, if they do for longer than counting usually takes. */
import { Note } from "../ui/Problem.tsx"
import { Time } from "../ui/Time.tsx"

/** ms */
const usual = 30_000

export const Uncounted = ({ since }: { readonly since: number | null | undefined }) =>
  since === null || since === undefined || Date.now() - since < usual ? null : (
    <Note tone="warn">
      <p>
        These numbers are incomplete: what happened since <Time at={since} /> is not counted yet. The server counts it
        in the background.
      </p>
    </Note>
  )
