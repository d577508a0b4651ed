/** The fields of an endpoint, to add or to edit one. */
import { useState } from "react"
import { problemAt } from "../../api/problems.ts"
import type { Schemas } from "../../api/client.ts"
import { textIn } from "../../session/formText.ts"
import { Checkbox, Field, Input } from "../../ui/Field.tsx"
import { eventTypes } from "../events/eventTypes.ts"

const longestUrl = 2_048

type Events = NonNullable<Schemas["NewWebhookEndpoint"]["events"]>

export interface EndpointInput {
  readonly url: string
  /** `null`: all. */
  readonly events: Events | null
}

export interface EndpointFaults {
  readonly url: string | undefined
  readonly events: string | undefined
}

/** `null`: no type is chosen. */
export const readEndpoint = (form: HTMLFormElement): EndpointInput | null => {
  const url = textIn(form, "url").trim()
  const data = new FormData(form)
  if (data.get("all") !== null) return { url, events: null }
  const chosen = data.getAll("events")
  if (chosen.length === 0) return null
  // Boundary: the type of the API's document names only the first member of a list that is not empty.
  return { url, events: chosen as unknown as Events }
}

/** `error`: of the request. */
export const faultsOf = (lacksEvents: boolean, error: unknown): EndpointFaults => ({
  url: problemAt(error, "/url"),
  events: lacksEvents ? "Choose at least one type, or all." : problemAt(error, "/events")
})

interface EndpointFieldsProps {
  readonly faults: EndpointFaults
  readonly url?: string
  /** `null`: all. */
  readonly events?: ReadonlyArray<string> | null
}

export const EndpointFields = ({ events = null, faults, url = "" }: EndpointFieldsProps) => {
  const [all, setAll] = useState(events === null)
  return (
    <>
      <Field label="URL" hint="Receives signed POST requests." error={faults.url}>
        <Input
          name="url"
          required
          maxLength={longestUrl}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://shop.example/hooks/paymux"
          defaultValue={url}
        />
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 text-sm font-medium">Events</legend>
        <Checkbox
          name="all"
          label="All types, also those of later versions"
          checked={all}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
        {!all && (
          <div className="grid grid-cols-1 gap-1.5 pl-6 sm:grid-cols-2">
            {eventTypes.map((type) => (
              <Checkbox
                key={type}
                name="events"
                value={type}
                label={type}
                defaultChecked={events?.includes(type) ?? false}
              />
            ))}
          </div>
        )}
        {faults.events !== undefined && (
          <p role="alert" className="text-xs text-bad">
            {faults.events}
          </p>
        )}
      </fieldset>
    </>
  )
}
