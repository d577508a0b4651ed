/**
 * The provider instances that a server uses, and whether they and the server are set up correctly. A port: only the program
 * that was configured knows its instances, and can check them.
 */
import type { MethodCapability, OperationKind, ProviderMode, Rail, Tenant } from "@paymux/core"
import type { DeclaredOperation } from "@paymux/core/engine"
import type { StoreUnavailable } from "@paymux/core/store"
import type { AccountRefusal } from "@paymux/sql"
import { Context } from "effect"
import type { Effect } from "effect"

export interface ProviderInstance {
  /** As routing rules name it. */
  readonly id: string
  readonly mode: ProviderMode
  /** It takes no new payments. */
  readonly retired: boolean
  /** The ids that it had before, oldest first. */
  readonly formerly: ReadonlyArray<string>
  /** The adapter, such as `stripe`, also if the instance has another id; `null`: it was made by an older version. */
  readonly adapter: string | null
  /** The version of the provider contract that the adapter implements. */
  readonly specVersion: number
  /** The address to enter at the provider; `null`: it sends no webhooks. */
  readonly webhookUrl: string | null
  /** What it accepts, by payment method. */
  readonly methods: { readonly [rail in Rail]?: MethodCapability }
  /** By kind of operation; an operation that is missing is never sent to it. Times in ms. */
  readonly operations: { readonly [kind in OperationKind]?: DeclaredOperation }
}

/** A kind of payment that the provider refuses to its account, with what to do about it. */
export interface HelpedRefusal extends AccountRefusal {
  /** One sentence. */
  readonly help: string
}

/** One result of a check. */
export interface Finding {
  /** `warning`: it works, and is a risk. `fault`: it does not work. */
  readonly grade: "ok" | "warning" | "fault"
  /** What was checked: the id of a provider instance, `database`, `clock`, `rules`, `public URL`, `options`. */
  readonly name: string
  /** What was found; of a warning or fault also what to do. */
  readonly text: string
}

export class Providers extends Context.Service<
  Providers,
  {
    /** In the order of the configuration, those of the mode. Instances belong to no account. */
    readonly list: (livemode: boolean) => ReadonlyArray<ProviderInstance>
    /**
     * The instance that runs sends a harmless inquiry, at most 10 seconds. It moves no money. `null`: this mode has no such
     * instance.
     */
    readonly check: (livemode: boolean, id: string) => Effect.Effect<ReadonlyArray<Finding> | null>
    /** What its account was not enabled for in the last seven days, the latest first. `null`: this mode has no such instance. */
    readonly accountRefusals: (
      tenant: Tenant,
      id: string
    ) => Effect.Effect<ReadonlyArray<HelpedRefusal> | null, StoreUnavailable>
    /** Checks everything: the configuration, the database, the rules, the instances of the mode, the public URL. */
    readonly doctor: (tenant: Tenant) => Effect.Effect<ReadonlyArray<Finding>>
  }
>()("@paymux/dashboard/Providers") {}
