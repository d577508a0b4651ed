/**
 * Settlement detail reports: one file for each batch that was paid out, numbered without gaps. Adyen has no list of them, so
 * the newest is looked for by its number.
 */
import { invalidRequest, misconfigured, type ProviderError } from "@paymux/core"
import { HttpOutcome, ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { AdyenOptions } from "./options.ts"

export interface Reports {
  /** The file of a batch, in CSV. */
  readonly read: (batch: number) => Effect.Effect<Uint8Array, ProviderError>
  /** The number of the newest batch. */
  readonly newest: Effect.Effect<number, ProviderError>
  readonly firstBatch: number
  /** Frees the memory of what was read last. */
  readonly forget: Effect.Effect<void>
}

export const makeReports = Effect.fnUntraced(function* (
  { environment, merchantAccount }: Pick<AdyenOptions, "environment" | "merchantAccount">,
  { apiKey, baseUrl, firstBatch = 1 }: NonNullable<AdyenOptions["reports"]>
) {
  const http = yield* Effect.orDie(
    ProviderHttp.make({
      baseUrl: baseUrl ?? `https://ca-${environment}.adyen.com`,
      // Another user's key than that of payments: the role is "Merchant Report Download".
      headers: { "x-api-key": apiKey, accept: "text/csv" },
      timeout: "50 seconds",
      maxBodyBytes: largestReport
    })
  )

  /** The last file that was read: the pages of a batch are read one after the other. */
  let last: { readonly batch: number; readonly bytes: Uint8Array } | null = null
  /** A batch that is there: later searches begin with it. */
  let known = firstBatch

  /** `null`: there is no such batch. */
  const find = (batch: number): Effect.Effect<Uint8Array | null, ProviderError> =>
    Effect.gen(function* () {
      if (last?.batch === batch) return last.bytes
      const answer = yield* http.request({
        method: "GET",
        path: ["reports", "download", "MerchantAccount", merchantAccount, fileOf(batch)]
      })
      if (answer.status === 404) return null
      if (answer.status !== 200) return yield* HttpOutcome.statementRefusal(answer)
      last = { batch, bytes: answer.bytes }
      return answer.bytes
    }).pipe(HttpOutcome.statement)

  const read = (batch: number) =>
    Effect.flatMap(find(batch), (bytes) =>
      bytes === null ? Effect.fail(invalidRequest(`${fileOf(batch)} is missing`)) : Effect.succeed(bytes)
    )

  /** Whether it is there. A search that was interrupted continues with the newest one that was found. */
  const exists = (batch: number) =>
    Effect.map(find(batch), (bytes) => {
      if (bytes !== null) known = Math.max(known, batch)
      return bytes !== null
    })

  const newest = Effect.gen(function* () {
    // Without it, an account with another name would look like one without payments.
    if (!(yield* exists(known))) return yield* Effect.fail(misconfigured(`${fileOf(known)} is missing`))
    let step = 1
    while (yield* exists(known + step)) {
      if (step > mostBatches) return yield* Effect.fail(invalidRequest(`the batches have no end: ${fileOf(known)}`))
      step *= 2
    }
    let missing = known + step
    while (missing - known > 1) {
      const middle = Math.floor((known + missing) / 2)
      if (!(yield* exists(middle))) missing = middle
    }
    // What follows a gap would be missing in the statement.
    for (const later of [missing + 1, missing + 2]) {
      if ((yield* find(later)) !== null) return yield* Effect.fail(invalidRequest(`${fileOf(missing)} is missing`))
    }
    return known
  })

  const forget = Effect.sync(() => {
    last = null
  })

  return { firstBatch, forget, newest, read } satisfies Reports
})

/** Of one search: two centuries of daily batches. */
const mostBatches = 65_536

const fileOf = (batch: number): string => `settlement_detail_report_batch_${batch}.csv`

/** About 250 000 lines. */
const largestReport = 64 * 1024 * 1024
