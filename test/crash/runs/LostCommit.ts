/** Statements that PostgreSQL has done, and whose answers never come: each is a transaction of its own. */
import { mulberry32 } from "../Random.ts"
import { withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"
import { isIdleAgain, startTcpProxy, targetOf } from "../TcpProxy.ts"

export interface LostCommitReport extends HarnessReport {
  /** Answers that were cut. */
  readonly cuts: number
}

export const lostCommit = async (options: {
  readonly database: string
  readonly payments: number
  /** Of the statements that name a payment, how many lose their answer: 0 to 1. */
  readonly share: number
  readonly seed: number
}): Promise<LostCommitReport> => {
  const { database, payments, seed, share } = options
  const random = mulberry32(seed)
  const proxy = await startTcpProxy(targetOf(database))
  let cuts = 0
  try {
    const report = await withHarness(
      { name: `lost-${seed}`, database, reach: () => proxy.through(database), engines: 2 },
      async (harness) => {
        proxy.set({
          kind: "cut_answer",
          to: (request) => request.includes("pay_") && random() < share,
          isWhole: isIdleAgain
        })
        await harness.untilPayments(payments)
        cuts = proxy.counts().cuts
        proxy.set({ kind: "pass" })
      }
    )
    return { ...report, cuts }
  } finally {
    await proxy.close()
  }
}
