/** By which rules a page explains or replays: the draft, or those in force. */
import { Field, Select } from "../../ui/Field.tsx"

export type ChosenRules = "draft" | "current"

interface RulesChoiceProps {
  readonly chosen: ChosenRules
  readonly hasDraft: boolean
  readonly onChange: (chosen: ChosenRules) => void
  /** Label of `current`. */
  readonly currentName: string
}

export const RulesChoice = ({ chosen, currentName, hasDraft, onChange }: RulesChoiceProps) => (
  <Field label="Rules" hint={hasDraft ? undefined : "There is no draft in this browser."}>
    <Select value={chosen} onChange={(event) => onChange(event.target.value === "draft" ? "draft" : "current")}>
      <option value="current">{currentName}</option>
      <option value="draft" disabled={!hasDraft}>
        Your draft
      </option>
    </Select>
  </Field>
)
