import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { call, reread } from "../../api/client.ts"
import { problemAt } from "../../api/problems.ts"
import { SecretDialog } from "../../secrets/SecretDialog.tsx"
import { textIn } from "../../session/formText.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"

const longestName = 100

export const CreateKeyDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const tenant = useTenant()
  const create = useMutation({
    mutationFn: (name: string) =>
      call.POST("/dashboard/api/{account}/{mode}/keys", { params: { path: tenant }, body: { name } }),
    onSuccess: () => reread("/dashboard/api/{account}/{mode}/keys")
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = textIn(event.currentTarget, "name").trim()
    if (!create.isPending) create.mutate(name)
  }
  const fault = problemAt(create.error, "/name")
  const key = create.data?.data?.key
  return (
    <SecretDialog
      title="Create an API key"
      description={`It calls the API for the account ${tenant.account} in ${tenant.mode} mode.`}
      made={key === undefined ? null : { title: "Your new API key", name: "API key", text: key, next: <KeyUse /> }}
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Name" hint="Which server uses it, such as “shop backend”." error={fault}>
          <Input name="name" required autoComplete="off" maxLength={longestName} />
        </Field>
        {create.error !== null && fault === undefined && <ProblemNote error={create.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Create key
          </Button>
        </Actions>
      </form>
    </SecretDialog>
  )
}

export const KeyUse = () => (
  <p>
    Keep it on your server, for example in the environment variable <code className="font-mono">PAYMUX_API_KEY</code>,
    and send it as <code className="font-mono">Authorization: Bearer …</code>
  </p>
)
