/**
 * Re-encrypts all that the former secrets encrypted with the first one. First it is stored that the former ones are replaced: from then
 * on no server starts that would encrypt with them. At the end they are retired, and servers may start without them.
 *
 * It may be interrupted at any time and run again: texts of both kinds can be read until the end.
 */
import type { ServerSecrets } from "@paymux/core/wire"
import { AuditLog, secondFactorColumns } from "@paymux/dashboard"
import type { AuditOutcome } from "@paymux/dashboard"
import { countColumn, endpointSecretColumns, resealColumn } from "@paymux/webhooks"
import type { ResealedBatch, SealedColumn } from "@paymux/webhooks"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { refused, rotationRefusal } from "./admission.ts"
import { enter } from "./openInstallation.ts"
import { databaseTime, otherServers } from "./runningServers.ts"
import { forgetSecret, storedSecrets, storeSecret, withSecretsLocked } from "./secretRows.ts"

export interface RotationOptions<E, R> {
  /** The first one replaces all others. */
  readonly secrets: ServerSecrets
  /** The account whose audit log records it. */
  readonly account: string
  /** Texts that were read, of all. It runs after each batch of 100. */
  readonly onProgress: (read: number, all: number) => Effect.Effect<void, E, R>
}

export interface Rotated {
  readonly read: number
  /** How many of them another secret had encrypted. */
  readonly replaced: number
  /** How many secrets were in use before, and cannot be first again. */
  readonly retired: number
}

export const rotateSecret = Effect.fnUntraced(function* <E, R>({
  account,
  onProgress,
  secrets
}: RotationOptions<E, R>) {
  const run = randomUUID()
  const first = yield* withSecretsLocked(begin(run, account, secrets))
  return yield* Effect.ensuring(
    Effect.gen(function* () {
      const columns = [...endpointSecretColumns(secrets), ...secondFactorColumns(secrets)]
      const done = yield* resealAll(run, columns, onProgress)
      const retired = yield* withSecretsLocked(finish(run, first, account, done))
      return { ...done, retired } satisfies Rotated
    }),
    Effect.ignore(release(run))
  )
})

const begin = Effect.fnUntraced(function* (run: string, account: string, secrets: ServerSecrets) {
  const { digests } = yield* enter(secrets, null)
  const [first] = digests
  const refusal = rotationRefusal(first, yield* otherServers(null))
  if (refusal !== null) return yield* refusal
  if (!(yield* claim(run))) return yield* refused(anotherRuns)
  for (const [digest, { keys, state }] of yield* storedSecrets) {
    if (digest === first) continue
    if (state === "writes") yield* storeSecret(digest, { state: "replaced", keys })
    if (state === "reads" && !digests.includes(digest)) yield* forgetSecret(digest)
  }
  yield* audited(account, "requested", null)
  return first
})

const resealAll = Effect.fnUntraced(function* <E, R>(
  run: string,
  columns: ReadonlyArray<SealedColumn>,
  onProgress: RotationOptions<E, R>["onProgress"]
) {
  const counts = yield* Effect.forEach(columns, countColumn)
  const all = counts.reduce((sum, count) => sum + count, 0)
  const done = { read: 0, replaced: 0 }
  const unreadable: Array<string> = []
  for (const column of columns) {
    yield* resealColumn(column, (batch: ResealedBatch) =>
      Effect.gen(function* () {
        done.read += batch.read
        done.replaced += batch.replaced
        unreadable.push(...batch.unreadable.map((id) => `${column.owner} ${id}`))
        if (!(yield* renew(run))) return yield* refused(anotherRuns)
        yield* onProgress(done.read, all)
      })
    )
  }
  return unreadable.length === 0 ? done : yield* refused(unreadableText(unreadable))
})

const finish = Effect.fnUntraced(function* (
  run: string,
  first: string,
  account: string,
  { read, replaced }: Omit<Rotated, "retired">
) {
  if (!(yield* renew(run))) return yield* refused(anotherRuns)
  // A server that stood still for longer than it counts may have come back, and encrypted with a former secret.
  const refusal = rotationRefusal(first, yield* otherServers(null))
  if (refusal !== null) return yield* refusal
  let retired = 0
  for (const [digest, { state }] of yield* storedSecrets) {
    if (state !== "replaced") continue
    yield* storeSecret(digest, { state: "retired", keys: null })
    retired++
  }
  yield* audited(account, "done", { read, replaced })
  return retired
})

/** It is of all accounts and of both modes; the log is of one. */
const audited = Effect.fnUntraced(function* (
  account: string,
  outcome: AuditOutcome,
  after: { readonly [name: string]: number } | null
) {
  const { append } = yield* AuditLog
  const entry = { action: "secret.rotate", target: null, outcome, before: null, after } as const
  yield* Effect.forEach([true, false], (livemode) => append({ ...entry, tenant: { account, livemode } }), {
    discard: true
  })
})

const claimed = "secret_rotation"

/** ms for which a rotation that gives no sign of progress keeps others from running. */
const claimFor = 10_000

/** `false`: another one runs. */
const claim = Effect.fnUntraced(function* (run: string) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* databaseTime
  const rows = yield* sql`INSERT INTO paymux_settings (name, value, created_at) VALUES (${claimed}, ${run}, ${now})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, created_at = excluded.created_at
    WHERE paymux_settings.created_at <= ${now - claimFor} OR paymux_settings.created_at > ${now + claimFor}
    RETURNING name`
  return rows.length > 0
})

/** `false`: it took too long, and another one runs. */
const renew = Effect.fnUntraced(function* (run: string) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* databaseTime
  const rows = yield* sql`UPDATE paymux_settings SET created_at = ${now}
    WHERE name = ${claimed} AND value = ${run} RETURNING name`
  return rows.length > 0
})

const release = Effect.fnUntraced(function* (run: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_settings WHERE name = ${claimed} AND value = ${run}`
})

const anotherRuns =
  "Another rotation of the secret is running: wait until it has ended. One that was killed counts for 10 seconds."

const unreadableText = (unreadable: ReadonlyArray<string>): string => {
  const shown = [...new Set(unreadable)]
  const more = shown.length > mostShown ? ` and ${shown.length - mostShown} more` : ""
  return `None of these secrets decrypts the secret of ${shown.slice(0, mostShown).join(", ")}${more}. Give the one that encrypted it as well, or remove the endpoint or reset the user, and rotate again. All else was re-encrypted; the former secrets are still needed.`
}

const mostShown = 5
