/** The corpus, in the order in which groups run. */
import { cell } from "./cell.ts"
import { dashboard } from "./dashboard.ts"
import type { Group } from "./Entry.ts"
import { faults } from "./faults.ts"
import { operators } from "./operators.ts"
import { payments } from "./payments.ts"
import { vendors } from "./vendors.ts"

export const groups: ReadonlyArray<Group> = [payments, faults, cell, vendors, operators, dashboard]
