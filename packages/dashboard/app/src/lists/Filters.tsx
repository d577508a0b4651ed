/** Filters of a list, kept in the address. */
import { Popover } from "radix-ui"
import { useState } from "react"
import type { FormEvent, ReactNode } from "react"
import { Plus, X } from "lucide-react"
import { Button } from "../ui/Button.tsx"
import { Checkbox, Field, Input } from "../ui/Field.tsx"
import { wordOf } from "../ui/Status.tsx"
import { useListSearch, useSetSearch, valuesOf } from "./search.ts"
import type { Search } from "./search.ts"

interface FilterLook {
  readonly label: string
  /** Shown once it is used, or when the person opens more filters. */
  readonly rare?: boolean
}

export type Filter = FilterLook &
  (
    | {
        /** `choices`: any of these. `choice`: one of these. */
        readonly kind: "choices" | "choice"
        readonly name: string
        readonly options: ReadonlyArray<string>
        /** Default: the option in words. */
        readonly wordOf?: (option: string) => string
      }
    | {
        readonly kind: "text"
        readonly name: string
        readonly hint?: string
        /** Any of the texts between commas. */
        readonly several?: boolean
      }
    /** From a day to a day of UTC, as parameters `from` and `until` in ms. */
    | { readonly kind: "days" }
    | {
        /** With a form of its own. */
        readonly kind: "own"
        readonly names: ReadonlyArray<string>
        /** `null`: it is not used. */
        readonly textOf: (search: Search) => string | null
        readonly form: (search: Search, apply: (changes: Search) => void) => ReactNode
      }
  )

export const Filters = ({ filters }: { readonly filters: ReadonlyArray<Filter> }) => {
  const search = useListSearch()
  const set = useSetSearch()
  const [more, setMore] = useState(false)
  const used = filters.filter((filter) => textOf(filter, search) !== null)
  const shown = filters.filter((filter) => more || filter.rare !== true || used.includes(filter))
  const hasRare = filters.some(({ rare }) => rare === true)
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label="Filters">
      {shown.map((filter) => (
        <FilterButton key={filter.label} filter={filter} />
      ))}
      {hasRare && (
        <Button look="ghost" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? "Fewer filters" : "More filters"}
        </Button>
      )}
      {used.length > 0 && (
        <Button
          look="ghost"
          onClick={() => set(Object.fromEntries(used.flatMap(namesOf).map((name) => [name, undefined])))}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}

const namesOf = (filter: Filter): ReadonlyArray<string> => {
  if (filter.kind === "own") return filter.names
  return filter.kind === "days" ? ["from", "until"] : [filter.name]
}

const dayOf = (ms: string | undefined): string =>
  ms === undefined ? "" : new Date(Number(ms)).toISOString().slice(0, 10)

const textOf = (filter: Filter, search: Search): string | null => {
  if (filter.kind === "own") return filter.textOf(search)
  if (filter.kind === "days") {
    const [from, until] = [valuesOf(search, "from")[0], valuesOf(search, "until")[0]]
    if (from === undefined && until === undefined) return null
    return `${isMs(from) ? dayOf(from) : "…"} – ${isMs(until) ? dayOf(String(Number(until) - 1)) : "…"}`
  }
  const values = valuesOf(search, filter.name)
  if (values.length === 0) return null
  return values.map(filter.kind === "text" ? String : (filter.wordOf ?? wordOf)).join(", ")
}

/** An address may hold anything. */
const isMs = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text)

const FilterButton = ({ filter }: { readonly filter: Filter }) => {
  const [open, setOpen] = useState(false)
  const search = useListSearch()
  const set = useSetSearch()
  const text = textOf(filter, search)
  const apply = (changes: Search) => {
    setOpen(false)
    set(changes)
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <span
        className={`inline-flex h-7 max-w-72 items-center rounded-full border text-xs ${text === null ? "border-dashed border-edge" : "border-accent bg-accent-soft"}`}
      >
        <Popover.Trigger className="inline-flex h-full min-w-0 items-center gap-1 rounded-full px-2.5">
          {text === null && <Plus size={12} aria-hidden />}
          <span className={text === null ? "text-muted" : "font-medium"}>{filter.label}</span>
          {text !== null && <bdi className="truncate">{text}</bdi>}
        </Popover.Trigger>
        {text !== null && (
          <button
            type="button"
            aria-label={`Remove filter ${filter.label}`}
            className="mr-1 inline-flex size-6 items-center justify-center rounded-full hover:bg-hover"
            onClick={() => set(Object.fromEntries(namesOf(filter).map((name) => [name, undefined])))}
          >
            <X size={12} aria-hidden />
          </button>
        )}
      </span>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          className="z-40 w-72 rounded-lg border border-line bg-raised p-3 shadow-lg"
          aria-label={`Filter by ${filter.label}`}
        >
          <FilterForm filter={filter} search={search} apply={apply} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface FilterFormProps {
  readonly filter: Filter
  readonly search: Search
  readonly apply: (changes: Search) => void
}

const FilterForm = ({ apply, filter, search }: FilterFormProps) => {
  if (filter.kind === "own") return filter.form(search, apply)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const texts = (name: string) =>
      form.getAll(name).flatMap((value) => (typeof value === "string" && value.trim() !== "" ? [value.trim()] : []))
    if (filter.kind === "text" && filter.several === true) return apply({ [filter.name]: listed(texts(filter.name)) })
    if (filter.kind !== "days") return apply({ [filter.name]: texts(filter.name) })
    const [from, until] = [texts("from")[0], texts("until")[0]]
    return apply({
      from: from === undefined ? undefined : String(Date.parse(from)),
      until: until === undefined ? undefined : String(Date.parse(until) + 86_400_000)
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <FilterFields filter={filter} search={search} />
      <Button type="submit" look="primary">
        Apply
      </Button>
    </form>
  )
}

const listed = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => text.split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]))))
]

interface FilterFieldsProps {
  readonly filter: Exclude<Filter, { readonly kind: "own" }>
  readonly search: Search
}

const FilterFields = ({ filter, search }: FilterFieldsProps) => {
  switch (filter.kind) {
    case "choices":
    case "choice":
      return (
        <fieldset className="flex max-h-72 flex-col gap-1.5 overflow-y-auto">
          <legend className="mb-1.5 text-sm font-medium">{filter.label}</legend>
          {filter.options.map((option) => (
            <Checkbox
              key={option}
              type={filter.kind === "choice" ? "radio" : "checkbox"}
              name={filter.name}
              value={option}
              label={(filter.wordOf ?? wordOf)(option)}
              defaultChecked={valuesOf(search, filter.name).includes(option)}
            />
          ))}
        </fieldset>
      )
    case "text":
      return (
        <Field label={filter.label} {...(filter.hint !== undefined && { hint: filter.hint })}>
          <Input
            name={filter.name}
            maxLength={512}
            defaultValue={valuesOf(search, filter.name)
              .slice(0, filter.several === true ? undefined : 1)
              .join(", ")}
          />
        </Field>
      )
    case "days": {
      const [from, until] = [valuesOf(search, "from")[0], valuesOf(search, "until")[0]]
      return (
        <>
          <Field label="From (UTC)">
            <Input name="from" type="date" defaultValue={isMs(from) ? dayOf(from) : ""} />
          </Field>
          <Field label="To, inclusive (UTC)">
            <Input name="until" type="date" defaultValue={isMs(until) ? dayOf(String(Number(until) - 1)) : ""} />
          </Field>
        </>
      )
    }
  }
}
