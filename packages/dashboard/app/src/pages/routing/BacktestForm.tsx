import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import type { FormEvent } from "react"
import { call } from "../../api/client.ts"
import { useListSearch, useSetSearch, valueOf } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { Field, Input, Select } from "../../ui/Field.tsx"
import { Card } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { useDraft } from "./draft.ts"
import { isPeriod, periods, rangeOf } from "./period.ts"
import type { ChosenPeriod } from "./period.ts"
import { RulesChoice } from "./RulesChoice.tsx"

export const BacktestForm = () => {
  const path = useTenant()
  const search = useListSearch()
  const set = useSetSearch()
  const { draft } = useDraft()
  const [chosen, setChosen] = useState<ChosenPeriod>({ period: "30", from: "", until: "" })
  const [fault, setFault] = useState<string>()
  const isDraft = draft !== null && valueOf(search, "rules") === "draft"
  const start = useMutation({
    mutationFn: (range: { readonly from: number; readonly until?: number }) =>
      call.POST("/dashboard/api/{account}/{mode}/rules/backtests", {
        params: { path },
        body: { ...range, ...(isDraft && { text: draft.text }) }
      }),
    onSuccess: ({ data }) => set({ id: data?.id })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const range = rangeOf(chosen, Date.now())
    setFault(typeof range === "string" ? range : undefined)
    if (typeof range !== "string") start.mutate(range)
  }
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <RulesChoice
            chosen={isDraft ? "draft" : "current"}
            hasDraft={draft !== null}
            currentName="In force"
            onChange={(rules) => set({ rules: rules === "draft" ? rules : undefined })}
          />
          <PeriodFields chosen={chosen} onChange={setChosen} fault={fault} />
        </div>
        {start.error !== null && <ProblemNote error={start.error} />}
        <Actions>
          <Button type="submit" look="primary" busy={start.isPending}>
            Start backtest
          </Button>
        </Actions>
      </form>
    </Card>
  )
}

interface PeriodFieldsProps {
  readonly chosen: ChosenPeriod
  readonly onChange: (chosen: ChosenPeriod) => void
  readonly fault: string | undefined
}

const PeriodFields = ({ chosen, fault, onChange }: PeriodFieldsProps) => (
  <>
    <Field label="Payments made in">
      <Select
        value={chosen.period}
        onChange={({ target }) => isPeriod(target.value) && onChange({ ...chosen, period: target.value })}
      >
        {Object.entries(periods).map(([period, title]) => (
          <option key={period} value={period}>
            {title}
          </option>
        ))}
      </Select>
    </Field>
    {chosen.period === "dates" && (
      <>
        <Field label="From (UTC)" error={fault}>
          <Input
            type="date"
            required
            value={chosen.from}
            onChange={(event) => onChange({ ...chosen, from: event.target.value })}
          />
        </Field>
        <Field label="To, inclusive (UTC)">
          <Input
            type="date"
            required
            value={chosen.until}
            onChange={(event) => onChange({ ...chosen, until: event.target.value })}
          />
        </Field>
      </>
    )}
  </>
)
