/** What is left of a charge, by plain addition of what was asked and reported so far. It shares nothing with the engine's books. */
import type { DisputeStatus } from "../../packages/core/src/domain/Dispute.ts"
import type { OperationKind } from "../../packages/core/src/domain/Operation.ts"
import type { Evidence } from "../../packages/core/src/domain/Evidence.ts"

interface NaiveDispute {
  status: DisputeStatus
  amount: number
  /** Reports of the provider that came before. */
  readonly seen: Set<string>
}

interface NaiveRefund {
  readonly amount: number
  readonly askedAt: number
  state: "open" | "done" | "failed"
}

const rank = { open: 0, won: 1, lost: 2 } as const

export class NaiveAccount {
  captured = 0
  readonly refunds = new Map<string, NaiveRefund>()
  /** In the dashboard, by the vendor's reference. */
  readonly elsewhere = new Map<string, { readonly amount: number; readonly at: number }>()
  readonly disputes = new Map<string | null, NaiveDispute>()

  asked(id: string, amount: number, askedAt: number): void {
    this.refunds.set(id, { amount, askedAt, state: "open" })
  }

  reported({ about, outcome, source }: Evidence, kind: OperationKind, now: number): void {
    const refund = "operation" in about ? this.refunds.get(about.operation) : undefined
    switch (outcome._tag) {
      case "Captured":
        this.captured = Math.max(this.captured, outcome.amount?.minorUnits ?? 0)
        return
      case "Declined":
        if (refund?.state === "open") refund.state = "failed"
        return
      case "RefundSucceeded":
        if (refund !== undefined) refund.state = "done"
        if (kind !== "refund" && !this.elsewhere.has(outcome.reference ?? "")) {
          this.elsewhere.set(outcome.reference ?? "", { amount: outcome.amount?.minorUnits ?? 0, at: now })
        }
        return
      case "Disputed": {
        const { amount, reference = null, status = "open" } = outcome
        if (source !== "operator") this.disputed_(reference, status, amount?.minorUnits ?? 0)
        return
      }
      default:
        return
    }
  }

  stated(reference: string | null, status: DisputeStatus, amount: number): void {
    const seen = this.disputes.get(reference)?.seen ?? new Set<string>()
    this.disputes.set(reference, { status, amount, seen })
  }

  private disputed_(reference: string | null, status: DisputeStatus, amount: number): void {
    const known = this.disputes.get(reference)
    const report = `${status} ${amount}`
    if (known === undefined) {
      this.disputes.set(reference, { status, amount, seen: new Set([report]) })
    } else if (!known.seen.has(report)) {
      known.seen.add(report)
      if (rank[status] === rank[known.status]) known.amount = Math.max(known.amount, amount)
      if (rank[status] > rank[known.status]) Object.assign(known, { status, amount })
    }
  }

  disputed(): number {
    let sum = 0
    for (const { amount, status } of this.disputes.values()) if (status !== "won") sum += amount
    return Math.min(this.captured, sum)
  }

  /** A refund that names no operation may be one of ours of its amount that is not decided, and was asked for before. */
  left(): number {
    let left = this.captured - this.disputed()
    const open: Array<NaiveRefund> = []
    for (const refund of this.refunds.values()) {
      if (refund.state !== "failed") left -= refund.amount
      if (refund.state === "open") open.push(refund)
    }
    for (const { amount, at } of this.elsewhere.values()) {
      const own = open.findIndex((refund) => refund.amount === amount && refund.askedAt <= at)
      if (own < 0) left -= amount
      else open.splice(own, 1)
    }
    return left
  }
}
