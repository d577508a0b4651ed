/** The options of `createPaymux` and the settings derived from them. Every fault is reported at once; no secret is shown. */
import type { Provider, ProviderMode } from "@paymux/core"
import { breakerProblems, cardRetryProblems, providerProblems, timings } from "@paymux/core/engine"
import type { BreakerSettings, CardRetrySettings, LateSuccess, RetiredInstance } from "@paymux/core/engine"
import type { RoutingConfigInput } from "@paymux/routing"
import type { EventJson } from "@paymux/core/wire"
import type { BodyLimits, RateLimitSettings } from "@paymux/http"
import { sandboxRoutes } from "@paymux/sandbox"
import type { ProviderModel, SandboxProviderId } from "@paymux/sandbox"
import { checkoutProblems } from "@paymux/checkout"
import type { CheckoutOptions } from "@paymux/checkout"
import { loopback } from "@paymux/webhooks"
import { Predicate, Redacted, Result } from "effect"
import { accountNameRule, cellPath, isAccountName } from "@paymux/http"
import { basePathProblems, normalBasePath } from "../BasePath.ts"
import { parseDatabaseUrl } from "./DatabaseUrl.ts"
import type { DatabaseChoice } from "./DatabaseUrl.ts"
import { bodyLimitsOf, bodyLimitsProblems } from "./bodyLimits.ts"
import type { BodyLimitsOption } from "./bodyLimits.ts"
import { cellProblems } from "./cellOption.ts"
import { dashboardOf, dashboardProblems, trustedProxiesOf, trustedProxiesProblems } from "./dashboardOption.ts"
import type { DashboardOption, DashboardSettings } from "./dashboardOption.ts"
import { instancesOf, retiredProblems, routable } from "./instances.ts"
import { indexedMetadataOf, indexedMetadataProblems } from "./indexedMetadata.ts"
import { orderNumberKeysOf, orderNumberKeysProblems } from "./orderNumberKeys.ts"
import { rateLimitOf, rateLimitProblems } from "./rateLimit.ts"
import { retentionOf, retentionProblems } from "./retention.ts"
import type { Retained, RetentionOption } from "./retention.ts"
import type { RateLimitOption } from "./rateLimit.ts"
import { statementProblems } from "../reconcile/csv/CsvStatement.ts"
import type { CsvStatement } from "../reconcile/csv/CsvStatement.ts"
import { isSandbox, sandboxModels, sandboxProblems } from "./sandboxOption.ts"
import type { SandboxOption } from "./sandboxOption.ts"
import type { DatabaseRouting } from "./databaseRouting.ts"
import { PaymuxOptionsInvalid } from "./PaymuxOptionsInvalid.ts"
import { routingProblems } from "./routingProblems.ts"
import { returnSchemesProblems, type ReturnSchemesOption } from "./returnSchemes.ts"
import { secretProblems, secretsOf } from "./secretOption.ts"
import type { GivenSecrets, SecretOption } from "./secretOption.ts"
import { typeProblems } from "./typeProblems.ts"
import { webhookProblems } from "./webhooksOption.ts"
import type { WebhooksOption } from "./webhooksOption.ts"
import { logsProblems } from "../telemetry/logsOption.ts"
import type { LogFormat } from "../telemetry/logsOption.ts"
import { metricsTokenProblems } from "../telemetry/metricsToken.ts"
import { telemetryOf, telemetryProblems } from "../telemetry/telemetryOption.ts"
import type { TelemetryOption, TelemetrySettings } from "../telemetry/telemetryOption.ts"

/**
 * `Id`: the ids of `providers`. Rules that name another do not compile, unless the compiler knows of some id only that it
 * is text.
 */
export interface PaymuxOptions<Id extends string = string, Sandbox extends SandboxOption = SandboxOption> {
  /**
   * Provider instances, in the order they are tried where no rule says otherwise. `{ id: "acme", retired: true }` stands for an
   * instance whose credentials are gone: the server starts although payments of the instance are open.
   */
  readonly providers?: ReadonlyArray<Provider<Id> | RetiredInstance<Id>>
  /**
   * Routing rules (see `defineRouting`), or the name of a file with them: `routing.yaml`, `.yml` or `.json`, relative to
   * the working directory, which is followed while the server runs. `{ source: "database", initial: "routing.yaml" }`
   * keeps them in the database: see `DatabaseRouting`. Without rules, providers are tried in order.
   */
  readonly routing?: RoutingConfigInput<NoInfer<Id | SimulatedIds<Sandbox>>> | DatabaseRouting | string
  /** `sqlite:<file>` (default `sqlite:paymux.db`), `:memory:`, or `postgres://…` (migrated by `paymux migrate`). */
  readonly database?: string
  /** Connections to PostgreSQL at most. Default: 10. */
  readonly maxConnections?: number
  /**
   * Adds two simulated providers per rail, a fixed test key, and opens loopback for webhooks. The simulated providers take
   * and require what `providers` do, or what `{ like: ["razorpay"] }` names; else whatever can be simulated.
   */
  readonly sandbox?: Sandbox
  /** The mode of calls made in this process. Default: `live` where a live provider is configured, else `test`. */
  readonly mode?: ProviderMode
  /** The account of calls made in this process. Default: `default`. */
  readonly account?: string
  /** At least 32 characters. In a list the first one encrypts and signs, and all are read. Required in live mode; in test mode made and kept in the database. */
  readonly secret?: SecretOption
  /** The URL under which this server is reachable from outside: providers send shoppers back there. Default: `http://localhost:4310`. */
  readonly publicUrl?: string
  /**
   * The name of this cell, if several installations share one address and a load balancer routes by cell: 1 to 8 lower-case
   * letters or digits that begin with a letter, such as `eu1`. New ids, API keys and addresses contain it. The database keeps
   * it for good. Default: not a cell.
   */
  readonly cell?: string
  /**
   * Keys of metadata that lists are filtered by quickly: each has an index, made at the start on SQLite and by `paymux
   * migrate` on PostgreSQL. At most 10, of 1 to 40 letters, digits, `_`, `.` or `-`. Default: `["order_id"]`.
   */
  readonly indexedMetadata?: ReadonlyArray<string>
  /**
   * Keys of metadata whose digits are an order number, unless they are grouped as on a card (4-4-4-4) or follow a word such as
   * `card`. 1 to 10 keys of 1 to 40 characters. Default: `["order_id"]`.
   */
  readonly orderNumberKeys?: ReadonlyArray<string>
  /**
   * Where the handlers stand in a host with routes of its own: with `/payments` the API is at `/payments/v1/…`, and every
   * address that is shown begins with it. Default: the root.
   */
  readonly basePath?: string
  /**
   * The hosted payment page at the `hosted_url` of each payment: its shop name, logo, color and language. `false`: no page,
   * except in the sandbox. Default: the page without a name.
   */
  readonly checkout?: CheckoutOptions | false
  /**
   * Who signs in to the dashboard at `/dashboard`: users of your program (`authenticate`), or accounts of Paymux. `false`: no
   * dashboard, neither its pages nor its API.
   * Default: accounts of Paymux in test mode, on https or a loopback address; in live mode no dashboard.
   */
  readonly dashboard?: DashboardOption
  /** Of each provider's circuit breakers; see `BreakerSettings`. Default: 50 % of at least 20 calls in 60 s, open 30 s. */
  readonly breaker?: Partial<BreakerSettings>
  /**
   * What is done when the money of a failed payment comes after all: `succeed` (default; `late: true`), or `reverse`, which
   * gives it back.
   */
  readonly lateSuccess?: LateSuccess
  /**
   * How many hours a provider instance may be missing from the configuration before each of its open operations is reviewed: 1 to
   * 720. Default: 24.
   */
  readonly absentReviewHours?: number
  /**
   * How often a declined card is tried, by its `card.fingerprint` and over all providers. Default: `visa` 15 and
   * `mastercard` 35 declines in 30 days; a card that was declined for good not for 30 days.
   */
  readonly cardRetries?: Partial<CardRetrySettings>
  /**
   * Requests over HTTP that each account and mode may make in a second in this process; more are answered `429`. Calls
   * made in this process are not limited. `false`: no limits. Default: 1,000 writes and 1,000 reads.
   */
  readonly rateLimit?: RateLimitOption
  /**
   * How many reverse proxies stand before this server, each of which appends the address of its client to `X-Forwarded-For`:
   * 0 (default) to 10. Without it all clients of a proxy share one address, and the limits of that address.
   */
  readonly trustedProxies?: number
  /**
   * How large the body of a request over HTTP may be, in bytes: `default`, and `webhooks` of providers. From 1,024 to 64 MiB; a
   * larger body is answered `413`. Default: 65,536, and 262,144 of webhooks.
   */
  readonly bodyLimits?: BodyLimitsOption
  /**
   * Retention periods, in days, for data that may be deleted: the bytes of answers that are replayed under an idempotency
   * key (`idempotencyAnswersDays`, 30; the key stays bound for good), what providers' webhooks said (`inboxDays`, 90),
   * deliveries that have ended (`deliveriesDays`, 30), the audit log (`auditDays`, 730), and the request log (`requestsDays`, 7, and at
   * most 10 million requests). `null`, or `false` for all: for good.
   */
  readonly retention?: RetentionOption
  /**
   * Whether calls of the API are kept, without any customer's data, for `paymux.requests` and `paymux requests list`.
   * Default: `true`.
   */
  readonly requestLog?: boolean
  /**
   * Schemes of apps that a `return_url` may have, by account: `{ default: ["myapp"] }` allows `myapp://done`. `intent` allows
   * Android's intents. Schemes that a browser runs, such as `javascript`, are refused. Default: none, `https` alone.
   */
  readonly returnSchemes?: ReturnSchemesOption
  /** By provider instance: how a report of the provider in CSV is read by `paymux reconcile --file`. */
  readonly statements?: { readonly [provider: string]: CsvStatement }
  readonly webhooks?: WebhooksOption
  /**
   * Where traces and metrics are sent by OTLP over HTTP: `{ otlpEndpoint: "http://localhost:4318" }`, or `"env"` for what
   * the variables of OpenTelemetry say. The environment is not read otherwise. Default: nothing is sent.
   */
  readonly telemetry?: TelemetryOption
  /**
   * A client that sends it (`Authorization: Bearer …`) may read `GET /metrics`; 16 to 512 visible ASCII characters. Default:
   * requests from this machine may, but not through a proxy or `fetch`.
   */
  readonly metricsToken?: string
  /** How log lines are written to standard error: `pretty`, `json` or `logfmt` (default); `false`: not at all. */
  readonly logs?: LogFormat | false
  /**
   * Called with every event of this `account` and `mode`, without HTTP: at least once, after its change is durable, and the
   * events of a payment in order. If it throws, rejects or takes longer than 30 seconds, it is called again, and the payment's next event
   * waits for it. How far it got is kept in the database. Events may come twice: go by `event.data.id`.
   */
  readonly onEvent?: (event: EventJson) => void | Promise<void>
}

type SimulatedIds<Sandbox extends SandboxOption> = [Sandbox] extends [false] ? never : SandboxProviderId

export interface PaymuxSettings {
  readonly providers: ReadonlyArray<Provider>
  /** The ids of instances that were retired without their credentials. */
  readonly retired: ReadonlyArray<string>
  readonly routing: RoutingConfigInput | DatabaseRouting | string | undefined
  readonly database: DatabaseChoice
  /** The models of the simulated providers; `null`: without the sandbox. */
  readonly sandbox: ReadonlyArray<ProviderModel> | null
  readonly livemode: boolean
  readonly account: string
  readonly secrets: GivenSecrets
  /** With the base path, without a slash at its end: the start of every address that is shown outside. */
  readonly publicUrl: string
  /** `null`: not a cell. */
  readonly cell: string | null
  /** The start of every address that is used without an API key: `publicUrl`, in a cell with its path. */
  readonly cellUrl: string
  /** Empty, or `/payments`. */
  readonly basePath: string
  /** `null`: no payment page is served. */
  readonly checkout: CheckoutOptions | null
  /** `null`: no dashboard is served. */
  readonly dashboard: DashboardSettings | null
  readonly breaker: Partial<BreakerSettings>
  readonly lateSuccess: LateSuccess
  /** ms */
  readonly reviewAbsentAfter: number
  readonly cardRetries: Partial<CardRetrySettings>
  readonly indexedMetadata: ReadonlyArray<string>
  readonly orderNumberKeys: ReadonlyArray<string>
  /** `null`: no limits. */
  readonly rateLimit: RateLimitSettings | null
  readonly bodyLimits: BodyLimits
  readonly trustedProxies: number
  readonly retention: Retained
  readonly requestLog: boolean
  readonly returnSchemes: ReturnSchemesOption
  readonly statements: { readonly [provider: string]: CsvStatement }
  readonly webhookAllow: ReadonlyArray<string>
  /** ms */
  readonly webhookDisableAfter: number
  /** `null`: nothing is sent. */
  readonly telemetry: TelemetrySettings | null
  /** `null`: `GET /metrics` is for this machine. */
  readonly metricsToken: Redacted.Redacted | null
  /** `null`: nothing is written. */
  readonly logs: LogFormat | null
  readonly onEvent: ((event: EventJson) => void | Promise<void>) | null
}

export const settingsOf = (given: PaymuxOptions): Result.Result<PaymuxSettings, PaymuxOptionsInvalid> => {
  if (!Predicate.isObject(given)) {
    return Result.fail(new PaymuxOptionsInvalid({ problems: ["The options must be an object."] }))
  }
  const misshapen = typeProblems(given)
  const options = without(given, misshapen)
  const { absentReviewHours = 24, account = "default", maxConnections = 10, secret } = options
  const instances = instancesOf(options.providers ?? [])
  const { providers, retired } = instances
  const sandbox = isSandbox(options.sandbox)
  const candidates = [...routable(instances), ...(sandbox ? sandboxRoutes() : [])]
  const publicUrl = (options.publicUrl ?? "http://localhost:4310").replace(/\/+$/, "")
  const basePath = normalBasePath(options.basePath ?? "")
  const database = parseDatabaseUrl(options.database ?? "sqlite:paymux.db")
  const live = providers.some((provider) => provider.mode === "live")
  const problems = [
    ...misshapen.values(),
    ...unknownOptions(options),
    ...(database._tag === "Refused" ? [database.sentence] : []),
    ...sandboxProblems(options.sandbox, providers),
    ...routingProblems(options.routing, candidates),
    ...retiredProblems(options.providers ?? []),
    ...(providers.length + retired.length === 0 ? [] : providerProblems(providers, retired)),
    ...(providers.length + retired.length === 0 && !sandbox && !misshapen.has("providers")
      ? ["No provider is configured: pass providers, or sandbox: true."]
      : []),
    ...(sandbox && live ? ["The sandbox runs with test providers only: remove the live ones, or sandbox: true."] : []),
    ...(sandbox && !live && options.mode === "live"
      ? ['The sandbox has no live mode, so no payment could be made: remove mode: "live", or sandbox: true.']
      : []),
    ...(live && secret === undefined && !misshapen.has("secret")
      ? ["A live provider needs a secret of at least 32 characters (option secret)."]
      : []),
    ...secretProblems(secret),
    ...cellProblems(options.cell),
    ...(options.checkout === undefined || options.checkout === false ? [] : checkoutProblems(options.checkout)),
    ...dashboardProblems(options.dashboard, publicUrl),
    ...breakerProblems(options.breaker ?? {}, timings.attempt),
    ...(options.cardRetries === undefined ? [] : cardRetryProblems(options.cardRetries)),
    ...(isMode(options.mode) ? [] : ["mode must be live or test."]),
    ...(Number.isFinite(absentReviewHours) && absentReviewHours >= 1 && absentReviewHours <= 720
      ? []
      : ["absentReviewHours must be a number from 1 to 720."]),
    ...(isLateSuccess(options.lateSuccess) ? [] : ["lateSuccess must be succeed or reverse."]),
    ...(Number.isSafeInteger(maxConnections) && maxConnections > 0
      ? []
      : ["maxConnections must be a whole number from 1 on."]),
    ...indexedMetadataProblems(options.indexedMetadata),
    ...orderNumberKeysProblems(options.orderNumberKeys),
    ...rateLimitProblems(options.rateLimit),
    ...bodyLimitsProblems(options.bodyLimits),
    ...trustedProxiesProblems(options.trustedProxies, "trustedProxies"),
    ...retentionProblems(options.retention),
    ...(options.requestLog === undefined || typeof options.requestLog === "boolean"
      ? []
      : ["requestLog must be true or false."]),
    ...returnSchemesProblems(options.returnSchemes),
    ...statementProblems(options.statements, candidates),
    ...webhookProblems(options.webhooks),
    ...telemetryProblems(options.telemetry, process.env),
    ...metricsTokenProblems(options.metricsToken),
    ...logsProblems(options.logs),
    ...(options.onEvent === undefined || typeof options.onEvent === "function" ? [] : ["onEvent must be a function."]),
    ...(isHttpUrl(publicUrl) ? [] : ["publicUrl must be an http or https address, without a user name or a query."]),
    ...basePathProblems(options.basePath, publicUrl),
    ...(isAccountName(account) ? [] : [`account ${accountNameRule}.`])
  ]
  if (problems.length > 0 || database._tag === "Refused") return Result.fail(new PaymuxOptionsInvalid({ problems }))
  return Result.succeed({
    providers,
    retired,
    routing: options.routing,
    database: database._tag === "Postgres" ? { ...database, maxConnections } : database,
    sandbox: sandbox ? sandboxModels(options.sandbox, providers) : null,
    livemode: (options.mode ?? (live ? "live" : "test")) === "live",
    account,
    secrets: secretsOf(secret),
    publicUrl: `${publicUrl}${basePath}`,
    cell: options.cell ?? null,
    cellUrl: `${publicUrl}${basePath}${cellPath(options.cell ?? null)}`,
    basePath,
    checkout: options.checkout === false ? (sandbox ? {} : null) : (options.checkout ?? {}),
    dashboard: dashboardOf(options.dashboard, {
      publicUrl,
      live: live || options.mode === "live",
      trustedProxies: trustedProxiesOf(options)
    }),
    breaker: options.breaker ?? {},
    lateSuccess: options.lateSuccess ?? "succeed",
    reviewAbsentAfter: absentReviewHours * 3_600_000,
    cardRetries: options.cardRetries ?? {},
    indexedMetadata: indexedMetadataOf(options.indexedMetadata),
    orderNumberKeys: orderNumberKeysOf(options.orderNumberKeys),
    rateLimit: rateLimitOf(options.rateLimit),
    bodyLimits: bodyLimitsOf(options.bodyLimits),
    trustedProxies: trustedProxiesOf(options),
    retention: retentionOf(options.retention),
    requestLog: options.requestLog ?? true,
    returnSchemes: options.returnSchemes ?? {},
    statements: options.statements ?? {},
    webhookAllow: [...(sandbox ? loopback : []), ...(options.webhooks?.allow ?? [])],
    webhookDisableAfter: (options.webhooks?.disableAfterDays ?? 5) * 86_400_000,
    telemetry: telemetryOf(options.telemetry, process.env),
    metricsToken: options.metricsToken === undefined ? null : Redacted.make(options.metricsToken),
    logs: options.logs === false ? null : (options.logs ?? "logfmt"),
    onEvent: options.onEvent ?? null
  })
}

const known: ReadonlySet<string> = new Set<keyof PaymuxOptions>([
  "providers",
  "routing",
  "database",
  "maxConnections",
  "sandbox",
  "mode",
  "account",
  "secret",
  "publicUrl",
  "basePath",
  "cell",
  "checkout",
  "dashboard",
  "breaker",
  "lateSuccess",
  "absentReviewHours",
  "cardRetries",
  "indexedMetadata",
  "orderNumberKeys",
  "rateLimit",
  "bodyLimits",
  "trustedProxies",
  "retention",
  "requestLog",
  "returnSchemes",
  "statements",
  "webhooks",
  "telemetry",
  "metricsToken",
  "logs",
  "onEvent"
])

/** A configuration file is not type-checked: a misspelt option must not be ignored. */
const unknownOptions = (options: object): ReadonlyArray<string> =>
  Object.keys(options)
    .filter((key) => !known.has(key))
    .map((key) => `There is no option "${key}".`)

/** The other options, so that their faults are reported in the same message. */
const without = (options: PaymuxOptions, misshapen: ReadonlyMap<string, string>): PaymuxOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !misshapen.has(name)))

/** Anything else would be taken for test: goods would be shipped for nothing. */
const isMode = (value: string | undefined): boolean => value === undefined || value === "live" || value === "test"

const isLateSuccess = (value: string | undefined): boolean =>
  value === undefined || value === "succeed" || value === "reverse"

/** Paths are put behind it. */
const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#@]/.test(text)
