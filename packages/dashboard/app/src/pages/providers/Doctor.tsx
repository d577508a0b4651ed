/** Checks the server as a whole, or one provider instance, when a person asks for it. */
import { useMutation } from "@tanstack/react-query"
import { Stethoscope } from "lucide-react"
import { call } from "../../api/client.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Section } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Findings, summary } from "./Findings.tsx"

export const Doctor = () => {
  const tenant = useTenant()
  const examine = useMutation({
    mutationFn: async () =>
      (await call.POST("/dashboard/api/{account}/{mode}/doctor", { params: { path: { ...tenant } } })).data
  })
  return (
    <Check
      title="Server check"
      description="The configuration, the database, the routing rules, every provider and the public URL. It moves no money."
      button="Check the server"
      state={examine}
      onCheck={() => examine.mutate()}
    />
  )
}

export const InstanceCheck = ({ id }: { readonly id: string }) => {
  const tenant = useTenant()
  const examine = useMutation({
    mutationFn: async () =>
      (
        await call.POST("/dashboard/api/{account}/{mode}/providers/{id}/check", {
          params: { path: { ...tenant, id } }
        })
      ).data
  })
  return (
    <Check
      title="Check"
      description="Sends a harmless inquiry to see whether the provider can be reached and accepts the credentials."
      button="Check"
      state={examine}
      onCheck={() => examine.mutate()}
    />
  )
}

interface CheckProps {
  readonly title: string
  readonly description: string
  readonly button: string
  readonly state: {
    readonly data: { readonly data: Parameters<typeof summary>[0] } | undefined
    readonly error: unknown
    readonly isPending: boolean
  }
  readonly onCheck: () => void
}

const Check = ({ button, description, onCheck, state: { data, error, isPending }, title }: CheckProps) => {
  const may = useMay("developer")
  return (
    <Section
      title={title}
      description={description}
      actions={
        <Button busy={isPending} refusal={may ? null : "Only owners and developers can check it."} onClick={onCheck}>
          <Stethoscope size={14} aria-hidden />
          {button}
        </Button>
      }
    >
      {error !== null && <ProblemNote error={error} repeatable />}
      <div role="status" className="text-sm">
        {isPending ? "Checking …" : data === undefined ? null : summary(data.data)}
      </div>
      {data !== undefined && <Findings label={`Findings: ${title.toLowerCase()}`} findings={data.data} />}
    </Section>
  )
}
