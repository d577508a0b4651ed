/** The page on observability: its table is what is counted, and its alerts ask for nothing else. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { parse } from "yaml"
import { page } from "../../../../scripts/metrics-reference.ts"
import { metricDescriptions } from "../../src/telemetry/MetricsText.ts"

const text = readFileSync(page, "utf8")

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly action: string }
}

const rules = (): ReadonlyArray<Rule> => {
  const block = [...text.matchAll(/```yaml\n([^]*?)```/g)]
    .map(([, yaml = ""]) => yaml)
    .find((yaml) => yaml.startsWith("groups:"))
  // Boundary: Prometheus's file of rules, which the test below looks at.
  const { groups } = parse(block ?? "") as { readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Rule> }> }
  return groups.flatMap((group) => group.rules)
}

/** The names in an expression, without what a histogram adds to its own. */
const metricsIn = (expr: string): ReadonlyArray<string> =>
  [...expr.matchAll(/\b(?:paymux|process)_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ""))

describe("docs/guide/observability.md", () => {
  it("has a row for each metric", () => {
    for (const { name } of metricDescriptions) assert.include(text, `| \`${name}\` |`)
  })

  it("names metrics as Prometheus wants them: base units, counters that end in _total, and one of each name", () => {
    const names = metricDescriptions.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    for (const { help, labels, name, type } of metricDescriptions) {
      assert.match(name, /^(?:paymux|process)_[a-z_]+$/)
      assert.strictEqual(name.endsWith("_total"), type === "counter", name)
      if (type === "histogram") assert.match(name, /_seconds$/)
      assert.notMatch(name, /_(?:ms|milliseconds|minutes|kb|mb|percent)\b/)
      assert.match(help, /\.$/)
      for (const label of labels) assert.match(label, /^[a-z_]+$/)
    }
  })

  it("has alerts over metrics and labels that there are, each with what to do", () => {
    assert.isAtLeast(rules().length, 10)
    for (const { alert, annotations, expr } of rules()) {
      assert.match(alert, /^Paymux[A-Z]/)
      assert.isAbove(annotations.summary.length, 10, alert)
      assert.isAbove(annotations.action.length, 20, alert)
      const used = metricsIn(expr)
      for (const name of used) {
        assert.isTrue(
          metricDescriptions.some((each) => each.name === name),
          `${alert} asks for ${name}`
        )
      }
      const labels = metricDescriptions.filter(({ name }) => used.includes(name)).flatMap(({ labels }) => labels)
      const asked = [...expr.matchAll(/\{([^}]*)\}|\bby \(([^)]*)\)/g)].flatMap(([, inside, by]) =>
        (inside ?? by ?? "").split(",").map((part) => part.trim().replace(/[=!~].*$/, ""))
      )
      // Prometheus gives these to whatever it scrapes.
      const given = ["job", "instance", "le"]
      for (const label of asked) assert.include([...labels, ...given], label, alert)
    }
  })

  it("has an alert for whatever waits for a person", () => {
    const asked = rules().flatMap(({ expr }) => metricsIn(expr))
    for (const name of [
      "paymux_unknown_attempt_age_seconds",
      "paymux_payments_in_review",
      "paymux_inbox_parked",
      "paymux_breaker_state",
      "paymux_queue_age_seconds",
      "paymux_webhook_endpoints",
      "paymux_http_requests_total"
    ]) {
      assert.include(asked, name)
    }
  })
})
