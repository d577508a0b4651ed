import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { call, reread } from "../../../api/client.ts"
import type { Schemas } from "../../../api/client.ts"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { useMay, useTenant } from "../../../session/session.ts"
import { Button } from "../../../ui/Button.tsx"
import { Secret } from "../../../ui/Copy.tsx"
import { Note, ProblemNote } from "../../../ui/Problem.tsx"

export type CreatedKey = Schemas["CreatedApiKey"]

interface KeyStepProps {
  readonly keys: ReadonlyArray<Schemas["ApiKey"]>
  /** Created on this page, which alone can show it. */
  readonly created: CreatedKey | null
  readonly onCreated: (key: CreatedKey) => void
}

export const KeyStep = ({ created, keys, onCreated }: KeyStepProps) => {
  const tenant = useTenant()
  const may = useMay("developer")
  const create = useMutation({
    mutationFn: () =>
      call.POST("/dashboard/api/{account}/{mode}/keys", {
        params: { path: { ...tenant } },
        body: { name: "Getting started" }
      }),
    onSuccess: async ({ data }) => {
      if (data !== undefined) onCreated(data)
      await reread("/dashboard/api/{account}/{mode}/keys")
    }
  })
  if (created !== null) return <Created secret={created.key} />
  return (
    <>
      <p>
        Your server sends a key with each request.{" "}
        {tenant.mode === "test"
          ? "With a test key no money moves."
          : "Payments with a live key move real money: start in test mode."}{" "}
        {keys.length > 0 &&
          "A key that exists cannot be shown again. Create one to have it in the code below, or put in your own."}
      </p>
      {may ? (
        <Button look="primary" className="self-start" busy={create.isPending} onClick={() => create.mutate()}>
          Create a {tenant.mode} key
        </Button>
      ) : (
        <p className="text-muted">Owners and developers of this account can create one.</p>
      )}
      {create.error !== null && <ProblemNote error={create.error} />}
      {keys.length > 0 && (
        <p className="text-muted">
          <TenantLink path="keys">Manage API keys</TenantLink>
        </p>
      )}
    </>
  )
}

/** The button that had the focus is gone. */
const Created = ({ secret }: { readonly secret: string }) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className="flex flex-col gap-2 rounded">
      <Note tone="warn">
        <p>
          Copy the key now: it is not shown again. The code below contains it. Keep it on your server, never in a page
          or an app.
        </p>
      </Note>
      <Secret name="the key" text={secret} />
    </div>
  )
}
