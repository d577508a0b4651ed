/** A decision in one paragraph, above its details. */
import { Foreign } from "../../ui/Layout.tsx"

export const Summary = ({ text }: { readonly text: string }) => (
  <p className="max-w-prose text-sm">
    <Foreign text={text} />
  </p>
)
