/**
 * Where a new address is below the extended public key: `branch/place`, two steps that are not hardened. No counter in the
 * database decides it, so an address is never issued again after the database has lost its last commits.
 *
 * - A derived operation id gives its path: the same request, repeated after a loss, has the same address.
 * - A random one is counted, in a branch that each process draws. Branches are kept, so that a wallet finds their addresses.
 *
 * Addresses of earlier versions are at `0/1`, `0/2`, …. Branch 1 is that of change in wallets. Neither is drawn.
 */
import { Ids } from "@paymux/core"
import type { OperationId, ProviderContext } from "@paymux/core"
import { Effect } from "effect"
import { createHash, randomInt } from "node:crypto"

/** `branch/place`, as in `m/44'/60'/0'/branch/place`. */
export type AddressPath = `${number}/${number}`

/** A path that another operation has; a number is of an earlier version. `null`: none is known. */
export type TakenPath = AddressPath | number | null

/** The path of an operation that has no address, other than `taken`. */
export type NextPath = (operation: OperationId, taken: TakenPath) => Effect.Effect<AddressPath>

export const makePaths = (state: ProviderContext["state"]): NextPath => {
  let branch: number | null = null
  let places = 0

  const drawBranch: Effect.Effect<number> = Effect.gen(function* () {
    const drawn = randomInt(firstDrawn, firstDerived)
    if (!(yield* state.compareAndSet(`branch/${drawn}`, null, "1"))) return yield* drawBranch
    yield* Effect.logInfo(`Addresses of requests without an idempotency key are issued from ${drawn}/0 on`)
    return drawn
  })
  const counted = Effect.gen(function* () {
    const own = branch ?? (yield* drawBranch)
    branch ??= own
    return `${branch}/${places++}` as const
  })
  return (operation, taken) => (Ids.isDerived(operation) ? Effect.succeed(derivedPath(operation, taken)) : counted)
}

const firstDrawn = 2
const firstDerived = 2 ** 30
const hardened = 2 ** 31

/** 61 bits of a digest: of a million addresses, two are the same in one of four million installations. */
const derivedPath = (operation: OperationId, taken: TakenPath): AddressPath => {
  const digest = createHash("sha256")
    .update(`evm address ${operation} ${taken ?? ""}`)
    .digest()
  return `${firstDerived + (digest.readUInt32BE(0) % (hardened - firstDerived))}/${digest.readUInt32BE(4) % hardened}`
}
