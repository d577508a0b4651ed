/**
 * The routing rules of an installation: what is in force, what a draft would do, and which versions there were. Rules are
 * for all accounts and modes; the tenant of a write is whose audit log names it, and that of a payment is whose it is.
 *
 * A port: the package that reads rules documents implements it.
 */
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import type { BacktestReport, ConditionWords, Explanation } from "@paymux/routing"
import { Context } from "effect"
import type { Effect } from "effect"
import type { Actor } from "../audit/Actor.ts"
import type {
  BacktestsBusy,
  RulesConflict,
  RulesInvalid,
  RulesNotInDatabase,
  RulesPaymentNotFound,
  RulesRequestInvalid,
  RulesUnchanged,
  RulesVersionNotFound,
  RulesWorkFailed
} from "./RulesErrors.ts"

/** Where the rules are edited. `default`: no rules, providers are tried in the order of the configuration. */
export type RulesOrigin =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "database" | "options" | "default" }

export type RulesAuthor = Pick<Actor, "kind" | "id" | "name">

export interface RulesVersion {
  /** Ascending. In the database 1, 2, 3 …; of a file, its place among the rulesets that have been in force. */
  readonly version: number
  /** As payments name it: `sha256:` and the hex digest. A change of comments keeps it. */
  readonly ruleset: string
  /** `database`, the name of the file, `options` or `default`. */
  readonly source: string
  /** ms UTC; when it was published, or for the first time in force. */
  readonly at: number
  /** `null`: of a file, which does not say. */
  readonly author: RulesAuthor | null
  readonly note: string | null
  /** The version whose text was published again; `null`: it was not a rollback. */
  readonly restores: number | null
}

export interface RulesVersionText extends RulesVersion {
  /** Exactly as it was written, with comments. Rules that were not written as text: as YAML. */
  readonly text: string
}

export interface CurrentRules extends RulesVersionText {
  readonly origin: RulesOrigin
  /** What this process decides by. It differs from `ruleset` while a version spreads, or if one does not fit its providers. */
  readonly inForce: string
  /** Why this version does not fit the providers of this process, which therefore decides by an older one; empty: it fits. */
  readonly problems: ReadonlyArray<RulesDiagnostic>
}

export interface RulesDiagnostic {
  /** From 1; `null`: of the document as a whole. */
  readonly line: number | null
  /** From 1, in UTF-16 units. */
  readonly column: number | null
  readonly message: string
}

export type CheckedDraft =
  | {
      readonly valid: true
      readonly ruleset: string
      readonly rules: number
      readonly problems: readonly []
      /** Parts that do nothing, or something else than they seem to. They do not keep the rules from being published. */
      readonly warnings: ReadonlyArray<RulesDiagnostic>
    }
  | {
      readonly valid: false
      readonly problems: ReadonlyArray<RulesDiagnostic>
      /** Only payments that get no provider because of `exclude` or `outages`: `acceptNoRoute` publishes it. */
      readonly acceptable?: true
    }

/** What an editor completes. */
export interface RulesVocabulary {
  readonly providers: ReadonlyArray<{
    readonly id: string
    readonly mode: string
    readonly methods: ReadonlyArray<string>
  }>
  /** `metadata.<key>` comes on top. */
  readonly conditions: ReadonlyArray<ConditionWords>
}

/** What is explained: a stored payment by its id, or the body of `POST /v1/payments`. */
export type RulesSubject =
  | { readonly paymentId: string }
  /** `at`: ms UTC, default now. */
  | { readonly request: unknown; readonly at?: number }

export interface ExplainedDecision {
  readonly explanation: Explanation
  /** The decision goes by success rates, and the database could not be read for them: they are taken as unknown. */
  readonly ratesUnknown: boolean
}

export interface RulesHistoryQuery {
  /** Only versions with this ruleset, as a payment names it. */
  readonly ruleset?: string
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface RulesHistoryPage {
  /** Newest first. */
  readonly versions: ReadonlyArray<RulesVersion>
  readonly next: string | null
}

export interface RulesPublication {
  readonly text: string
  /** The version that the author started from: any other means a conflict. */
  readonly from: number
  /** Why, for the history: at most 500 characters. */
  readonly note?: string | null
  /** Publish although `exclude` or `outages` leave payments without a provider. The audit log says so. */
  readonly acceptNoRoute?: boolean
}

export interface RulesRollback {
  /** The version whose text is published again. */
  readonly to: number
  readonly from: number
  readonly note?: string | null
  /** As for a publication. */
  readonly acceptNoRoute?: boolean
}

export interface BacktestQuery {
  /** The draft. Default: the current rules. */
  readonly text?: string
  /** ms UTC, inclusive. */
  readonly from: number
  /** ms UTC, exclusive. */
  readonly until: number
}

/** A payment that the draft would send elsewhere first. `after`: `null` is no route. */
export interface MovedPayment {
  readonly paymentId: string
  /** ms UTC */
  readonly createdAt: number
  readonly before: string
  readonly after: string | null
  /** Of the draft. */
  readonly rule: string
}

export interface BacktestResult {
  readonly report: BacktestReport
  /** The first 1000 by time; `report.changes.payments` is how many there are. */
  readonly moved: ReadonlyArray<MovedPayment>
}

type Failures = StoreUnavailable | RulesWorkFailed
type DraftFailures = Failures | RulesInvalid | RulesRequestInvalid | RulesVersionNotFound
type WriteFailures =
  | Failures
  | RulesInvalid
  | RulesRequestInvalid
  | RulesUnchanged
  | RulesConflict
  | RulesNotInDatabase
  | RulesVersionNotFound

export class RoutingRules extends Context.Service<
  RoutingRules,
  {
    /** Not found: nothing has been in force. */
    readonly current: Effect.Effect<CurrentRules, StoreUnavailable | RulesVersionNotFound>
    readonly vocabulary: RulesVocabulary
    /** Against the providers of this process. */
    readonly check: (text: string) => Effect.Effect<CheckedDraft, RulesWorkFailed>
    /** By a draft; without one, a stored payment by the rules that decided it, and a request by the current rules. */
    readonly explain: (
      tenant: Tenant,
      subject: RulesSubject,
      draft?: string
    ) => Effect.Effect<ExplainedDecision, DraftFailures | RulesPaymentNotFound>
    readonly history: (
      query: RulesHistoryQuery
    ) => Effect.Effect<RulesHistoryPage, StoreUnavailable | RulesRequestInvalid>
    readonly get: (version: number) => Effect.Effect<RulesVersionText, StoreUnavailable | RulesVersionNotFound>
    /** Unified; empty if the texts are the same. */
    readonly diff: (from: number, to: number) => Effect.Effect<string, Failures | RulesVersionNotFound>
    /** Compare-and-set, with its audit entry. In force here when it returns, and in other processes within seconds. */
    readonly publish: (tenant: Tenant, publication: RulesPublication) => Effect.Effect<RulesVersion, WriteFailures>
    /** Publishes the text of a former version as a new one. */
    readonly rollback: (tenant: Tenant, rollback: RulesRollback) => Effect.Effect<RulesVersion, WriteFailures>
    /** Off this thread. `onProgress`: 0 when it begins, up to 1. Interrupt it to cancel it; it does not survive a restart. */
    readonly backtest: (
      tenant: Tenant,
      query: BacktestQuery,
      onProgress: (done: number) => void
    ) => Effect.Effect<BacktestResult, DraftFailures | BacktestsBusy>
  }
>()("@paymux/dashboard/RoutingRules") {}
