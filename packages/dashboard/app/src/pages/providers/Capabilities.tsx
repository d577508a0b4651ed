/** What an instance accepts and what its operations are declared to do. */
import type { Column } from "../../lists/List.tsx"
import { durationText, numberOf } from "../../statistics/texts.ts"
import { Section } from "../../ui/Layout.tsx"
import { addressAmount, amountText } from "../../ui/amounts.ts"
import { countText } from "../../ui/numbers.ts"
import { wordOf } from "../../ui/Status.tsx"
import { Table } from "../../ui/Table.tsx"
import type { Instance } from "./reads.ts"

type Method = Instance["methods"][string] & { readonly name: string }
type Operation = Instance["operations"][string] & { readonly kind: string }

export const Capabilities = ({ instance: { methods, operations } }: { readonly instance: Instance }) => (
  <>
    <Section title="Payment methods" description="What it accepts. Routing passes over it for everything else.">
      <Table
        label="Payment methods"
        columns={methodColumns}
        rows={Object.entries(methods).map(([name, method]) => ({ ...method, name }))}
        rowKey={({ name }) => name}
      />
    </Section>
    <Section title="Operations" description="How they behave. An operation that is not listed is never sent to it.">
      <Table
        label="Operations"
        columns={operationColumns}
        rows={Object.entries(operations).map(([kind, operation]) => ({ ...operation, kind }))}
        rowKey={({ kind }) => kind}
      />
    </Section>
  </>
)

const listed = (words: ReadonlyArray<string>): string => (words.length === 0 ? "–" : words.join(", "))

const methodColumns: ReadonlyArray<Column<Method>> = [
  { title: "Method", cell: ({ name }) => <span className="font-medium">{name}</span> },
  { title: "Currencies", cell: ({ currencies }) => (currencies === "any" ? "Any" : listed(currencies)) },
  { title: "Flows", cell: ({ flows }) => <Flows flows={flows} /> },
  { title: "Capture", hideBelow: "md", cell: ({ captureMethods = ["automatic"] }) => listed(captureMethods) },
  { title: "Limits", hideBelow: "sm", cell: (method) => limitsOf(method) }
]

const Flows = ({ flows }: Pick<Method, "flows">) => (
  <ul>
    {Object.entries(flows).map(([name, { requires = [] }]) => (
      <li key={name}>
        {name}
        {requires.length > 0 && <span className="text-muted"> (requires {requires.join(", ")})</span>}
      </li>
    ))}
  </ul>
)

const limitsOf = ({ amounts = [], assets, networks, phoneCodes }: Method): string =>
  listed([
    ...amountTexts(amounts),
    ...(networks === undefined ? [] : [`networks: ${networks.join(", ")}`]),
    ...(phoneCodes === undefined ? [] : [`phone numbers: ${phoneCodes.join(", ")}`]),
    ...(assets === undefined ? [] : [assets.map(({ asset, network }) => `${asset} on ${network}`).join(", ")])
  ])

type Limit = NonNullable<Method["amounts"]>[number]

/** Currencies with the same limits stand together: `from 0.50 EUR, USD and 10 more currencies`. */
const amountTexts = (amounts: ReadonlyArray<Limit>): ReadonlyArray<string> =>
  [...Map.groupBy(amounts, rangeText)].map(([range, limits]) => {
    const shown = limits.slice(0, mostCurrencies).map(({ currency }) => currency)
    const more = limits.length - shown.length
    const rest = more === 0 ? "" : ` and ${countText(more)} more ${more === 1 ? "currency" : "currencies"}`
    return `${range} ${shown.join(", ")}${rest}`
  })

const mostCurrencies = 4

const rangeText = ({ currency, max, min }: Limit): string => {
  const from = min === undefined ? null : limitText(min, currency)
  const to = max === undefined ? null : limitText(max, currency)
  if (from === null) return `up to ${to ?? ""}`
  return to === null ? `from ${from}` : `${from} to ${to}`
}

/** `0.5` is shown as `0.50`, as the reader's region writes it. */
const limitText = (text: string, currency: string): string => {
  const amount = addressAmount(text, currency)
  return amount === null ? text : amountText(amount, currency)
}

const operationColumns: ReadonlyArray<Column<Operation>> = [
  { title: "Operation", cell: ({ kind }) => <span className="font-medium">{wordOf(kind)}</span> },
  { title: "Idempotent by", cell: ({ idempotency }) => idempotencyText(idempotency) },
  {
    title: "Inquiry",
    cell: ({ canInquire, costlyInquiry }) => (canInquire ? (costlyInquiry ? "Costly" : "Yes") : "No")
  },
  { title: "Partial", hideBelow: "sm", cell: ({ partial }) => (partial ? "Yes" : "No") },
  {
    title: "“Not found” is final",
    hideBelow: "md",
    cell: ({ notFoundIsFinalAfterMs }) => {
      const ms = numberOf(notFoundIsFinalAfterMs)
      return ms === null ? "Never" : `After ${durationText(ms)}`
    }
  },
  { title: "A decline is final", hideBelow: "md", cell: ({ declineIsFinal }) => (declineIsFinal ? "Yes" : "No") }
]

const idempotencyText = ({ by, lifetimeMs }: Operation["idempotency"]): string => {
  if (by === "none") return "Nothing"
  const ms = numberOf(lifetimeMs)
  return ms === null || !Number.isFinite(ms) ? wordOf(by) : `${wordOf(by)}, for ${durationText(ms)}`
}
