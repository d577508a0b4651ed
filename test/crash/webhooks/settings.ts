/** What the driver and the worker that delivers say to one another, and the tables between them. */
import type { PaymentStore } from "@paymux/core/store"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "@paymux/sql"
import { webhookMigrations } from "@paymux/webhooks"
import { Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { fileOf, isPostgres } from "../Database.ts"
import type { ClockSetting } from "../ScaledClock.ts"

/** Argument 1 of the worker, as JSON. */
export interface WorkerSettings {
  /** `sqlite:<file>` or `postgres://…` */
  readonly database: string
  readonly clock: ClockSetting
  /** Where its endpoints are, one below the other. */
  readonly endpoints: ReadonlyArray<string>
  /** Payments that there are to be in the end, each with two events. */
  readonly payments: number
  /** The events of the listener in its process: a line for each call. */
  readonly deliveryLog: string
}

/** What is still to be done; the worker says so again and again. */
export interface WorkerState {
  readonly payments: number
  readonly waiting: number
}

type Tables = Layer.Layer<SqlClient.SqlClient | PaymentStore>

export const tables = (url: string): Tables =>
  Layer.orDie(Layer.effectDiscard(runMigrations([coreMigrations, webhookMigrations]))).pipe(
    Layer.provideMerge(isPostgres(url) ? postgres(url) : sqlite(fileOf(url)))
  )

const postgres = (url: string): Tables =>
  Layer.orDie(Layer.provideMerge(PostgresPaymentStore.layer, PostgresClient.layer({ url: Redacted.make(url) })))

const sqlite = (filename: string): Tables =>
  Layer.orDie(Layer.provideMerge(SqlitePaymentStore.layer, SqliteClient.layer({ filename })))
