/** What an operator wants to see at the start: where the server is, what it uses, and what is risky. Pure. */
import type { Provider } from "@paymux/core"
import type { ProviderInstance } from "@paymux/dashboard"
import { tmpdir } from "node:os"
import { resolve, sep } from "node:path"
import { shownDatabase } from "./options/DatabaseUrl.ts"
import { isDatabaseRouting } from "./options/databaseRouting.ts"
import type { PaymuxSettings } from "./options/PaymuxOptions.ts"

/**
 * One block of aligned lines. `address`: where the server listens, such as `http://127.0.0.1:4310`. `instances`: those of the
 * configured providers, as they run.
 *
 * @example
 * ```
 * API        http://127.0.0.1:4310/v1
 * Mode       test
 * Database   /srv/shop/paymux.db (SQLite)
 * Rules      routing.yaml
 * Providers  stripe (test), webhooks to https://pay.example/webhooks/stripe
 * ```
 */
export const startSummary = (
  settings: PaymuxSettings,
  address: string,
  instances: ReadonlyArray<ProviderInstance>
): string => {
  const { basePath, cell, livemode, publicUrl, sandbox } = settings
  const providers = settings.providers.flatMap(({ id }) => instances.filter((instance) => instance.id === id))
  const lines = [
    ...providers.map(providerText),
    ...settings.retired.map((id) => `${id} (retired without its credentials)`),
    ...(sandbox === null ? [] : [sandboxText(sandbox)])
  ]
  const rows: ReadonlyArray<readonly [name: string, value: string]> = [
    ["API", `${address}${basePath}/v1`],
    ...(publicUrl === `${address}${basePath}` ? [] : [["Public URL", publicUrl] as const]),
    ...(cell === null ? [] : [["Cell", cell] as const]),
    ["Mode", livemode ? "live" : "test"],
    ["Database", databaseText(settings)],
    ["Rules", rulesText(settings)],
    ...lines.map((line, place) => [place === 0 ? "Providers" : "", line] as const)
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n")
}

const providerText = ({ id, mode, retired, webhookUrl }: ProviderInstance): string =>
  `${id} (${retired ? `${mode}, retired` : mode}), ${webhookUrl === null ? "sends no webhooks" : `webhooks to ${webhookUrl}`}`

const sandboxText = (models: NonNullable<PaymuxSettings["sandbox"]>): string =>
  `sandbox (simulated, no money moves)${models.length === 0 ? "" : `, with the requirements of ${namesOf(models)}`}`

const databaseText = ({ database }: PaymuxSettings): string => {
  if (database._tag === "Postgres") return shownDatabase(database)
  return database.filename === ":memory:" ? "in memory" : `${resolve(database.filename)} (SQLite)`
}

const rulesText = ({ routing }: PaymuxSettings): string => {
  if (typeof routing === "string") return routing
  if (routing !== undefined && isDatabaseRouting(routing)) return "in the database: paymux rules history"
  return routing === undefined ? "none: providers in the order of the configuration" : "in the configuration"
}

/** One sentence for each risk, with what to do. */
export const startWarnings = ({ database, providers }: PaymuxSettings): ReadonlyArray<string> => {
  const live = providers.filter(({ mode }) => mode === "live")
  const test = providers.filter(({ mode }) => mode === "test")
  if (live.length === 0) return []
  return [
    ...(database._tag === "Sqlite" && isTemporary(database.filename)
      ? [
          `Live payments are stored ${database.filename === ":memory:" ? "in memory" : `in ${resolve(database.filename)}, a temporary folder`}, and are lost when it is gone: set database to a file that is kept, or to PostgreSQL.`
        ]
      : []),
    ...(test.length > 0
      ? [
          `Live and test instances are configured together (live: ${namesOf(live)}; test: ${namesOf(test)}): the mode of the API key selects which of them a payment can use.`
        ]
      : [])
  ]
}

const isTemporary = (filename: string): boolean =>
  filename === ":memory:" || [tmpdir(), "/tmp", "/var/tmp"].some((folder) => resolve(filename).startsWith(folder + sep))

const namesOf = (providers: ReadonlyArray<Pick<Provider, "id">>): string => providers.map(({ id }) => id).join(", ")
