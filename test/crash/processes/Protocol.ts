/** What the driver and the processes that it starts say to one another, over the channel between them. */
import type { Armed } from "../CrashSwitch.ts"
import type { ClockSetting } from "../ScaledClock.ts"

/** `former` derives names as the version before this one did, and `next` brings one further migration. */
export type EngineVersion = "former" | "this" | "next"

/** The first one encrypts. */
export type EngineSecrets = readonly [string, ...ReadonlyArray<string>]

/** Argument 1 of an engine, as JSON. */
export interface EngineSettings {
  /** `sqlite:<file>` or `postgres://…` */
  readonly database: string
  /** 0: a free one. */
  readonly port: number
  /** Where the vendor is. */
  readonly vendor: string
  readonly clock: ClockSetting
  readonly version: EngineVersion
  /** Of the installation, from which the names are derived. Default: a key that is the same for all. */
  readonly secrets?: EngineSecrets
  /** Where its SQLite file is copied when it has drained; `null`: nowhere. */
  readonly keepAt?: string
}

export type ToEngine =
  | { readonly arm: Armed | null }
  | { readonly stepClock: number }
  /** Writes a file until the disk is full, or removes it. */
  | { readonly fill: string }
  | { readonly free: string }

/** Once it listens. */
export interface EngineReady {
  readonly port: number
  /** For the `Authorization` header. */
  readonly key: string
}

export interface VendorReady {
  readonly url: string
}
