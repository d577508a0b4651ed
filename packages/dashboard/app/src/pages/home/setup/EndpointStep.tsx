import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import type { FormEvent } from "react"
import { call, reread } from "../../../api/client.ts"
import type { Schemas } from "../../../api/client.ts"
import { problemAt } from "../../../api/problems.ts"
import { textIn } from "../../../session/formText.ts"
import { useMay, useTenant } from "../../../session/session.ts"
import { Button } from "../../../ui/Button.tsx"
import { Secret } from "../../../ui/Copy.tsx"
import { Field, Input } from "../../../ui/Field.tsx"
import { Note, ProblemNote } from "../../../ui/Problem.tsx"
import { CodeTabs } from "./CodeTabs.tsx"
import { receiverSamples } from "./receiverSamples.ts"

export type AddedEndpoint = Schemas["AddedWebhookEndpoint"]

interface EndpointStepProps {
  readonly endpoints: ReadonlyArray<Schemas["WebhookEndpoint"]>
  /** Added on this page, which alone can show its secret. */
  readonly added: AddedEndpoint | null
  readonly onAdded: (endpoint: AddedEndpoint) => void
}

export const EndpointStep = ({ added, endpoints, onAdded }: EndpointStepProps) => {
  const may = useMay("developer")
  const [existing] = endpoints
  const shown = added ?? existing ?? null
  return (
    <>
      {added === null && existing === undefined && (
        <>
          <p>Paymux sends an event for every change of a payment to an address of your server, and signs it.</p>
          {may ? (
            <EndpointForm onAdded={onAdded} />
          ) : (
            <p className="text-muted">Owners and developers of this account can add one.</p>
          )}
        </>
      )}
      {added !== null && <Added endpoint={added} />}
      {shown !== null && (
        <>
          <p>
            Run this receiver: it accepts only what Paymux signed.{" "}
            {added === null && "Put in the secret that was shown when the endpoint was added."}
          </p>
          <CodeTabs
            label="Language of the receiver"
            samples={receiverSamples({ url: shown.url, secret: added?.secret ?? "whsec_…" })}
          />
        </>
      )}
    </>
  )
}

const EndpointForm = ({ onAdded }: { readonly onAdded: (endpoint: AddedEndpoint) => void }) => {
  const tenant = useTenant()
  const add = useMutation({
    mutationFn: (url: string) =>
      call.POST("/dashboard/api/{account}/{mode}/endpoints", { params: { path: { ...tenant } }, body: { url } }),
    onSuccess: async ({ data }) => {
      if (data !== undefined) onAdded(data)
      await reread("/dashboard/api/{account}/{mode}/endpoints")
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(textIn(event.currentTarget, "url").trim())
  }
  const atUrl = problemAt(add.error, "/url")
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label="Address of your receiver"
        error={atUrl}
        hint={
          isLocal(window.location.hostname) ? "In the sandbox it may be on this machine." : "Its host must be public."
        }
      >
        <Input
          name="url"
          type="url"
          required
          maxLength={2048}
          autoComplete="off"
          placeholder="https://shop.example/hooks/paymux"
          defaultValue={tenant.mode === "test" && isLocal(window.location.hostname) ? "http://127.0.0.1:4000/" : ""}
        />
      </Field>
      {add.error !== null && atUrl === undefined && <ProblemNote error={add.error} />}
      <Button type="submit" look="primary" className="self-start" busy={add.isPending}>
        Add the endpoint
      </Button>
    </form>
  )
}

const isLocal = (hostname: string): boolean => ["127.0.0.1", "localhost", "[::1]"].includes(hostname)

/** The button that had the focus is gone. */
const Added = ({ endpoint: { secret } }: { readonly endpoint: AddedEndpoint }) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className="flex flex-col gap-2 rounded">
      <Note tone="warn">
        <p>Copy the signing secret now: it is not shown again. The code below contains it.</p>
      </Note>
      <Secret name="the secret" text={secret} />
    </div>
  )
}
