import { Money } from "@paymux/core"
import { printable } from "../printable.ts"

/**
 * An amount in the tables and sentences of all commands: `EUR 12,345.60`, with groups of three and a point wherever it
 * runs, so that output is the same in every shell. Programs read the minor units of `--json`.
 */
export const amountText = (minorUnits: number | string, currency: string): string =>
  // A plain space after the code, so that a search for `EUR 12.00` finds it.
  Money.format({ minorUnits, currency: printable(currency) }, "en-US", "code").replace("\u00a0", " ")
