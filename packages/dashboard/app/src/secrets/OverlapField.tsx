/** For how long the former secret is accepted beside the new one. */
import { Field, Select } from "../ui/Field.tsx"

const hour = 3_600_000

const overlaps: ReadonlyArray<readonly [ms: number, text: string]> = [
  [0, "Not at all: it has leaked"],
  [hour, "1 hour"],
  [24 * hour, "24 hours"],
  [7 * 24 * hour, "7 days"]
]

export const overlapName = "overlap"

/** `label`: such as `Accept the former key for`. */
export const OverlapField = ({ error, label }: { readonly label: string; readonly error: string | undefined }) => (
  <Field label={label} error={error}>
    <Select name={overlapName} defaultValue={24 * hour}>
      {overlaps.map(([ms, text]) => (
        <option key={ms} value={ms}>
          {text}
        </option>
      ))}
    </Select>
  </Field>
)
