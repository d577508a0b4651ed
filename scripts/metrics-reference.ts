/** The table of metrics in `docs/guide/observability.md`, between its two marks. `pnpm generate` writes it. */
import { resolve } from "node:path"
import { metricDescriptions } from "../packages/paymux/src/telemetry/MetricsText.ts"

export const page = resolve(import.meta.dirname, "../docs/guide/observability.md")

const marked = /(<!-- metrics: [^\n]*-->\n)[^]*?(<!-- \/metrics -->)/

/** The page with the table as it should be. */
export const withMetrics = (text: string): string => {
  if (!marked.test(text)) throw new Error("The page has no marks for the table of metrics")
  return text.replace(marked, (_, before: string, after: string) => `${before}\n${table}\n\n${after}`)
}

const table = [
  "| metric | type | labels | |",
  "| --- | --- | --- | --- |",
  ...metricDescriptions.map(({ help, labels, name, type }) => {
    const listed = labels.map((label) => `\`${label}\``).join(", ")
    return `| \`${name}\` | ${type} | ${listed} | ${help.replace(/\.$/, "")} |`
  })
].join("\n")
