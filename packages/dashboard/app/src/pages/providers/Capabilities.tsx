/** What an instance accepts and what its operations are declared to do. */
import type { Column } from "../../lists/List.tsx"
import { durationText, numberOf } from "../../statistics/texts.ts"
import { Section } from "../../ui/Layout.tsx"
import { amountText } from "../../ui/amounts.ts"
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

const limitsOf = ({ amount, assets, currencies, networks, phoneCodes }: Method): string => {
  const [min, max] = [numberOf(amount?.min ?? null), numberOf(amount?.max ?? null)]
  return listed([
    ...(min === null ? [] : [`from ${limitText(min, currencies)}`]),
    ...(max === null ? [] : [`up to ${limitText(max, currencies)}`]),
    ...(networks === undefined ? [] : [`networks: ${networks.join(", ")}`]),
    ...(phoneCodes === undefined ? [] : [`phone numbers: ${phoneCodes.join(", ")}`]),
    ...(assets === undefined ? [] : [assets.map(({ asset, network }) => `${asset} on ${network}`).join(", ")])
  ])
}

/** Of several currencies the limit is the same number of minor units. */
const limitText = (amount: number, currencies: Method["currencies"]): string => {
  const [only, another] = currencies === "any" ? [] : currencies
  return only !== undefined && another === undefined && Number.isSafeInteger(amount)
    ? `${amountText(amount, only)} ${only}`
    : `${countText(amount)} minor units`
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
