/** Replaces a secret: for how long the former one is accepted beside the new one. */
import type { FormEvent } from "react"
import { problemAt } from "../api/problems.ts"
import { textIn } from "../session/formText.ts"
import { Button } from "../ui/Button.tsx"
import { Actions } from "../ui/Dialog.tsx"
import { Field, Select } from "../ui/Field.tsx"
import { ProblemNote } from "../ui/Problem.tsx"

const hour = 3_600_000

const overlaps: ReadonlyArray<readonly [ms: number, text: string]> = [
  [0, "Not at all: it has leaked"],
  [hour, "1 hour"],
  [24 * hour, "24 hours"],
  [7 * 24 * hour, "7 days"]
]

const name = "overlap"

interface OverlapFormProps {
  /** Of the choice: `Accept the former key for`. */
  readonly label: string
  /** On the button. */
  readonly action: string
  /** A mutation that takes the overlap in ms. */
  readonly rotation: {
    readonly mutate: (overlapMs: number) => void
    readonly isPending: boolean
    readonly error: unknown
  }
  readonly onClose: () => void
}

export const OverlapForm = ({ action, label, onClose, rotation: { error, isPending, mutate } }: OverlapFormProps) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(Number(textIn(event.currentTarget, name)))
  }
  const fault = problemAt(error, "/overlapMs")
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label={label} error={fault}>
        <Select name={name} defaultValue={24 * hour}>
          {overlaps.map(([ms, text]) => (
            <option key={ms} value={ms}>
              {text}
            </option>
          ))}
        </Select>
      </Field>
      {error !== null && fault === undefined && <ProblemNote error={error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={isPending}>
          {action}
        </Button>
      </Actions>
    </form>
  )
}
