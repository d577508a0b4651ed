/** One function for each operation of the contract, and the process behind them. */
import { Cause, Effect, Redacted } from "effect"
import type { ProviderContext, ProviderOperation, ProviderOperations } from "@paymux/core"
import { addressesOf } from "./deposits/addresses.ts"
import { makeCursors } from "./deposits/Cursor.ts"
import { makeDepositStore } from "./deposits/DepositStore.ts"
import { makePaths } from "./deposits/paths.ts"
import { makeNodes } from "./nodes/Nodes.ts"
import { makeOperations } from "./operations.ts"
import type { Settings } from "./options.ts"
import { makeRefunds } from "./refunds/refund.ts"
import { makeRefundWatch } from "./refunds/refundWatch.ts"
import { makeScanner } from "./deposits/scanner.ts"
import { makeStatement } from "./statement/statement.ts"
import { makeWallets } from "./refunds/Wallet.ts"

export const makeClient = (
  { chains, payWithin, signer, xpub }: Settings,
  context: Pick<ProviderContext, "checkpoint" | "emit" | "state">
): ProviderOperations => {
  const store = makeDepositStore(context.state)
  const cursors = makeCursors(context.state)
  const scanned = chains.map((chain) => ({ chain, nodes: makeNodes(chain) }))
  const { cancel, create, inquireCancel, inquireCreate } = makeOperations({
    addressOf: addressesOf(Redacted.value(xpub)),
    checkpoint: context.checkpoint,
    cursors,
    nextPath: makePaths(context.state),
    payWithin,
    scanned,
    store
  })
  const wallets = makeWallets(context.state)
  const refunds = signer === null ? null : makeRefunds({ cursors, scanned, signer, store, wallets })

  const inquire = (operation: ProviderOperation) => {
    switch (operation.kind) {
      case "create":
        return inquireCreate(operation)
      case "cancel":
        return inquireCancel(operation)
      case "capture":
        return Effect.die(new Error("A transfer has no capture"))
      case "refund":
        return refunds === null ? Effect.die(new Error("There is no signer for refunds")) : refunds.inquire(operation)
    }
  }

  const background = [
    ...scanned.map((each) => makeScanner({ context, cursors, store }, each).run),
    ...(signer === null ? [] : scanned.map((each) => makeRefundWatch({ context, cursors, signer, wallets }, each)))
  ]

  return {
    create,
    cancel,
    inquire,
    statement: makeStatement({ scanned, signer, store }),
    ...(refunds !== null && { refund: refunds.refund }),
    run: Effect.andThen(Effect.forEach(background, restarted, { concurrency: "unbounded" }), Effect.never)
  }
}

/** One that breaks stops no other chain. Who loses its turn is interrupted, and that ends them all. */
const restarted = (each: Effect.Effect<never>): Effect.Effect<never> =>
  Effect.forever(
    Effect.catchCause(each, (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.failCause(cause)
        : Effect.andThen(
            Effect.logError("What looks at one chain broke; it is started again", cause),
            Effect.sleep(pause)
          )
    )
  )

/** ms */
const pause = 5_000
