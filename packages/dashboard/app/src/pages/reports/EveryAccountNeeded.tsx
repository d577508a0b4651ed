import { Empty } from "../../ui/Layout.tsx"

export const EveryAccountNeeded = () => (
  <Empty title="Unmatched reports need a role in every account">
    <p>
      A report that matches no payment may belong to any account. Only people with a role in every account of this mode
      see them. Ask an owner of the installation if you need access.
    </p>
  </Empty>
)
