/** Configurations as they are written, each about one thing: the rest of it is right. */
import { withRule } from "./fixtures.ts"

export const byStripe = { priority: ["stripe"] }

export const top = (more: object): unknown => ({ version: 1, default: byStripe, ...more })
export const when = (conditions: unknown): unknown => withRule(conditions, byStripe)
export const choose = (choice: unknown): unknown => withRule({}, choice)
export const failover = (change: unknown): unknown => top({ failover: change })
export const fees = (change: unknown): unknown => top({ fees: change })

/** Rules named "a", "b", "c" … */
export const rules = (...whens: ReadonlyArray<unknown>): unknown =>
  top({ rules: whens.map((when, index) => ({ name: "abcdefgh"[index], when, choose: byStripe })) })

export const time = (from: string, to: string, zone?: string) => ({
  time: { between: [from, to], ...(zone !== undefined && { zone }) }
})
