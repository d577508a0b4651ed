import type { MigrationSet } from "@paymux/core"
import { cards } from "./cards.ts"
import { operations } from "./operations.ts"
import { payments } from "./payments.ts"
import { routing } from "./routing.ts"

/** The tables of the payment store. */
export const coreMigrations: MigrationSet = { owner: "core", migrations: [payments, operations, routing, cards] }
