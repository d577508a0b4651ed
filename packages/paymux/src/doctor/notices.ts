/** What running servers noticed about their requests: stored by them, and reported by `paymux doctor` and at the start. */
import type { Finding } from "@paymux/dashboard"
import { untrustedProxyText } from "@paymux/http"
import type { KeepNotice } from "@paymux/http"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { PaymuxSettings } from "../options/PaymuxOptions.ts"
import { agoText } from "./agoText.ts"
import { fault, warning } from "./Finding.ts"

/** In the settings of the installation: one row for each subject, with the last notice of it and the time of the one before. */
export const keepNotice: Effect.Effect<KeepNotice, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    ({ detail, subject }) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO paymux_settings (name, value, created_at) VALUES (${prefix + subject}, ${detail}, ${now})
          ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at,
            value = excluded.value || ' ' || CAST(paymux_settings.created_at AS TEXT)`
        // It is logged as well, and the request must not wait for a database that does not respond.
      }).pipe(Effect.timeout("1 second"), Effect.ignore)
)

const prefix = "notice "

interface StoredNotice {
  readonly detail: string
  /** ms UTC */
  readonly at: number
  /** ms UTC, of the notice before; `null`: the first. */
  readonly previousAt: number | null
}

/** Those of the last day. */
export const noticeFindings = Effect.fnUntraced(function* ({ providers, trustedProxies }: PaymuxSettings) {
  const now = yield* Clock.currentTimeMillis
  const notices = yield* recentNotices(now - day)
  const ofWebhooks = yield* Effect.forEach(providers, ({ id }) =>
    webhookFindings(id, notices.get(`webhook ${id}`), now)
  )
  const [key, proxy] = [notices.get("api_key"), notices.get("proxy")]
  return [
    ...ofWebhooks.flat(),
    ...(key === undefined
      ? []
      : [
          warning(
            "API keys",
            `requests with a refused API key (${key.detail}), last ${agoText(now - key.at)}. Check that the client uses a valid key. A high rate suggests key guessing (paymux_api_keys_refused_total)`
          )
        ]),
    ...(proxy === undefined || trustedProxies > 0
      ? []
      : [warning("proxy", `${untrustedProxyText(proxy.detail)} (last ${agoText(now - proxy.at)})`)])
  ]
})

/** For the log at the start. */
export const proxyWarnings = Effect.fnUntraced(function* ({ trustedProxies }: PaymuxSettings) {
  if (trustedProxies > 0) return []
  const notices = yield* recentNotices((yield* Clock.currentTimeMillis) - day)
  const proxy = notices.get("proxy")
  return proxy === undefined ? [] : [`${untrustedProxyText(proxy.detail)}.`]
})

const day = 86_400_000

const recentNotices = Effect.fnUntraced(function* (since: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string; value: string; created_at: number | string }>`
    SELECT name, value, created_at FROM paymux_settings WHERE name LIKE ${`${prefix}%`} AND created_at > ${since}`
  return new Map<string, StoredNotice>(
    rows.map(({ created_at, name, value }) => {
      const [detail = "", previous] = value.split(" ")
      const previousAt = previous === undefined ? null : Number(previous)
      return [name.slice(prefix.length), { detail, at: Number(created_at), previousAt }]
    })
  )
})

/**
 * A fault if webhooks were refused repeatedly within a day and none was accepted in between or since: then the secret is probably
 * wrong. A single refusal is a warning, because anyone can send a webhook with a wrong signature.
 */
const webhookFindings = Effect.fnUntraced(function* (
  provider: string,
  refused: StoredNotice | undefined,
  now: number
): Effect.fn.Return<ReadonlyArray<Finding>, Error, SqlClient.SqlClient> {
  if (refused === undefined) return []
  const { at, detail, previousAt } = refused
  const text = `webhooks were refused (${detail}), last ${agoText(now - at)}`
  const acceptedAt = yield* lastAccepted(provider)
  if (acceptedAt > at) {
    return [warning(provider, `${text}; others were accepted since: they were forged, or one of two secrets is wrong`)]
  }
  const isRepeated = previousAt !== null && previousAt > now - day && acceptedAt <= previousAt
  return [
    isRepeated
      ? fault(provider, `${text}, repeatedly, and none was accepted in between or since: ${compare}`)
      : warning(provider, `${text}: ${compare}`)
  ]
})

const compare = "compare the webhook secret with the provider's, unless they were forged, which looks the same"

/** ms UTC; 0: none among the newest of all providers. */
const lastAccepted = Effect.fnUntraced(function* (provider: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ received_at: number | string }>`SELECT received_at FROM provider_inbox
    WHERE provider = ${provider} AND position > (SELECT max(position) - 10000 FROM provider_inbox)
    ORDER BY position DESC LIMIT 1`
  return Number(row?.received_at ?? 0)
})
