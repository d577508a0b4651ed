/** What is checked in the database itself. */
import { clockTolerance } from "@paymux/core/store"
import type { Finding } from "@paymux/dashboard"
import { openInstances, pendingMigrations, selectNewest } from "@paymux/sql"
import { openText, retiredText } from "@paymux/core/engine"
import { sandboxRoutes } from "@paymux/sandbox"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../Database.ts"
import { shownDatabase } from "../options/DatabaseUrl.ts"
import type { PaymuxSettings } from "../options/PaymuxOptions.ts"
import { CellMismatch, storedCell } from "../options/Settings.ts"
import { accountFindings } from "./accountFindings.ts"
import { fault, ok, warning } from "./Finding.ts"
import { noticeFindings } from "./notices.ts"
import { restoredFindings } from "./restoredFindings.ts"
import { secretFindings } from "./secretFindings.ts"

/** The disabled endpoints are those of the account and mode of the settings. */
export const databaseFindings = Effect.fnUntraced(function* (settings: PaymuxSettings) {
  const { database } = settings
  const name = shownDatabase(database)
  const missing = yield* pendingMigrations(migrations)
  const skew = yield* skewOf(settings)
  return [
    missing.length === 0 || database._tag === "Sqlite"
      ? ok("database", `${name}, reached`)
      : fault("database", `${name} lacks ${missing.length} migrations: run paymux migrate`),
    Math.abs(skew) <= maxSkew
      ? ok("clock", "agrees with the database")
      : fault("clock", `differs by ${Math.round(skew / 1000)} s from the database's: synchronize it (NTP)`),
    ...(missing.length === 0
      ? [
          ...(yield* newestFindings),
          ...(yield* cellFindings(settings)),
          ...(yield* secretFindings(settings)),
          ...(yield* restoredFindings(settings.providers)),
          ...(yield* instanceFindings(settings)),
          ...(yield* disabledEndpoints(settings)),
          ...(yield* accountFindings(settings, settings.providers)),
          ...(yield* noticeFindings(settings))
        ]
      : [])
  ]
})

/** ms; webhooks are refused when their time differs by more than some minutes. */
const maxSkew = 5_000

/** ms by which this machine is ahead; SQLite has no clock of its own. */
const skewOf = Effect.fnUntraced(function* ({ database }: PaymuxSettings) {
  if (database._tag === "Sqlite") return 0
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ now: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
  const now = yield* Clock.currentTimeMillis
  return row === undefined ? 0 : now - row.now
})

/** A payment of the future was created while a clock was ahead, or this machine's clock is behind. */
const newestFindings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [newest] = yield* sql.unsafe<{ readonly created_at: number | string }>(selectNewest)
  const ahead = newest === undefined ? 0 : Number(newest.created_at) - (yield* Clock.currentTimeMillis)
  return ahead <= clockTolerance
    ? []
    : [
        fault(
          "clock",
          `the newest payment was created ${Math.round(ahead / 1000)} s in the future: a clock is or was wrong, synchronize it (NTP)`
        )
      ]
})

/** A server in live mode does not start with open live operations of an instance that is not configured. */
const instanceFindings = Effect.fnUntraced(function* (settings: PaymuxSettings) {
  const { providers, retired, sandbox } = settings
  const simulated = sandbox === null ? [] : sandboxRoutes(sandbox).map(({ id }) => id)
  const configured = new Set([...providers.flatMap(({ formerly = [], id }) => [...formerly, id]), ...simulated])
  const open = yield* openInstances((id) => !configured.has(id))
  return open.map((each): Finding =>
    retired.includes(each.provider)
      ? warning(each.provider, `${retiredText(each)}.`)
      : (each.live > 0 ? fault : warning)(each.provider, openText(each))
  )
})

/** A server does not start on the database of another cell. */
const cellFindings = Effect.fnUntraced(function* ({ cell }: PaymuxSettings) {
  const stored = yield* storedCell
  if (stored === null) return cell === null ? [] : [ok("cell", `${cell}: the next start gives it to this database`)]
  return [stored === cell ? ok("cell", stored) : fault("cell", new CellMismatch({ stored, given: cell }).message)]
})

/** Read from the table: the service would need the secret of the server. */
const disabledEndpoints = Effect.fnUntraced(function* ({
  account,
  livemode
}: PaymuxSettings): Effect.fn.Return<ReadonlyArray<Finding>, Error, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ disabled_at: unknown }>`SELECT disabled_at FROM webhook_endpoints
    WHERE account = ${account} AND livemode = ${livemode}`
  const disabled = rows.filter(({ disabled_at }) => disabled_at !== null).length
  return [
    disabled === 0
      ? ok("endpoints", `${rows.length} webhook endpoints, none disabled`)
      : warning("endpoints", `${disabled} of ${rows.length} webhook endpoints are disabled: see paymux webhooks list`)
  ]
})
