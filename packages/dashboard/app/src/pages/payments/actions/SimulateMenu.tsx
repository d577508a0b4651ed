/** In the sandbox: decides in place of the payer. No money moves. */
import { useMutation } from "@tanstack/react-query"
import { FlaskConical } from "lucide-react"
import { call } from "../../../api/client.ts"
import type { Schemas } from "../../../api/client.ts"
import { useMay, useTenant } from "../../../session/session.ts"
import { Button } from "../../../ui/Button.tsx"
import { Menu, MenuItem } from "../../../ui/Menu.tsx"
import { toast } from "../../../ui/Toast.tsx"
import { rereadPayments } from "./useMoneyAction.ts"

type Decision = Schemas["PaymentSimulation"]["decision"]

const decisions: ReadonlyArray<readonly [decision: Decision, word: string]> = [
  ["approve", "Approve"],
  ["decline", "Decline"],
  ["expire", "Expire"]
]

export const SimulateMenu = ({ id }: { readonly id: string }) => {
  const isOperator = useMay("operator")
  const isDeveloper = useMay("developer")
  const path = { ...useTenant(), id }
  const simulate = useMutation({
    mutationFn: (decision: Decision) =>
      call.POST("/dashboard/api/{account}/{mode}/payments/{id}/simulate", { params: { path }, body: { decision } }),
    onSuccess: () => toast("The payer is simulated"),
    onError: (error) => toast(error.message),
    onSettled: () => rereadPayments()
  })
  if (!isOperator && !isDeveloper) return null
  return (
    <Menu
      label="Simulate the payer"
      trigger={
        <Button busy={simulate.isPending}>
          <FlaskConical size={14} aria-hidden />
          Simulate
        </Button>
      }
    >
      {decisions.map(([decision, word]) => (
        <MenuItem key={decision} onSelect={() => simulate.mutate(decision)}>
          {word}
        </MenuItem>
      ))}
    </Menu>
  )
}
