/** What the worker thread of the rules is given, and what it answers. All of it is plain data, copied between the threads. */
import type { NewPayment, PaymentId, Tenant } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import type { RoutingDecision } from "@paymux/core/store"
import type { BacktestResult, ExplainedDecision, RulesDiagnostic } from "@paymux/dashboard"
import type { CheckedFile, UncheckedFile } from "../checkFile.ts"
import type { CheckedJson } from "../draft.ts"
import type { TimeRange } from "../storedPayments.ts"

/** Rules as text, or rules that were not written as text, in JSON. */
export type WrittenRules = { readonly text: string } | { readonly json: string }

export interface SubjectOfRules {
  readonly tenant: Tenant
  readonly id: PaymentId
  readonly payment: NewPayment
  /** ms UTC */
  readonly time: number
}

export interface RulesTasks {
  readonly Check: {
    readonly given: { readonly text: string }
    readonly answer: CheckedJson
  }
  /** Refused rules are an answer: the message is all that is wanted of them. */
  readonly CheckFile: {
    readonly given: UncheckedFile
    readonly answer: CheckedFile
  }
  readonly Explain: {
    readonly given: SubjectOfRules & { readonly rules: WrittenRules }
    readonly answer: ExplainedDecision
  }
  /** By the rules that decided it, which may be valid no longer. `null`: they are not in words of this version. */
  readonly ExplainDecided: {
    readonly given: SubjectOfRules & { readonly json: string; readonly decision: RoutingDecision }
    readonly answer: ExplainedDecision | null
  }
  readonly Diff: {
    readonly given: { readonly from: NamedText; readonly to: NamedText }
    /** `null`: they differ too much to be compared. */
    readonly answer: string | null
  }
  readonly Backtest: {
    readonly given: { readonly rules: WrittenRules; readonly tenant: Tenant; readonly range: TimeRange }
    readonly answer: BacktestResult
  }
}

export interface NamedText {
  readonly name: string
  readonly text: string
}

export type TaskName = keyof RulesTasks

/** For all tasks of a worker: its `workerData`. */
export interface RulesWorkerData {
  readonly providers: ReadonlyArray<RoutableProvider>
  /** `null`: a database in memory, which no other thread can open. */
  readonly database: string | null
}

/** The message that starts a task. */
export interface RulesTask<Name extends TaskName = TaskName> {
  readonly name: Name
  readonly given: RulesTasks[Name]["given"]
}

export type WorkerMessage =
  | { readonly _tag: "Progress"; readonly done: number }
  | { readonly _tag: "Answer"; readonly answer: RulesTasks[TaskName]["answer"] }
  | { readonly _tag: "Invalid"; readonly problems: ReadonlyArray<RulesDiagnostic> }
  | { readonly _tag: "Failed"; readonly message: string }
