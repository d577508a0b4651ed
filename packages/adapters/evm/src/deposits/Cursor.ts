/**
 * How far a chain was scanned: `cursor/<chain id>`, written by its scanner after everything below was reported. Pure, but
 * for the document.
 *
 * The trail is how a reorganization is found: marks from the newest block that was looked at down to the final one,
 * dense above and thin below, so that it stays short however far finality is behind.
 */
import type { ProviderState } from "@paymux/core"
import { Schema } from "effect"
import { documents, HexText } from "./DepositStore.ts"
import type { Mark } from "../nodes/finality.ts"

export interface Cursor {
  /** Everything up to here is credited. */
  readonly final: Mark
  /** From the newest that was looked at, down; the first is where the next look begins. All above `final`. */
  readonly trail: ReadonlyArray<Mark>
}

/** Where the next look for what is not final begins. */
export const headOf = ({ final, trail }: Cursor): Mark => trail[0] ?? final

/** With a newer head. Marks come to lie further apart the deeper they are: about eight for each doubling. */
export const withHead = ({ final, trail }: Cursor, head: Mark): Cursor => {
  const kept: Array<Mark> = [head]
  for (const mark of trail) {
    const above = kept.at(-1)?.number ?? head.number
    const apart = Math.max(1, Math.floor((head.number - mark.number) / 8))
    if (mark.number > final.number && mark.number < head.number && above - mark.number >= apart) kept.push(mark)
  }
  return { final, trail: head.number > final.number ? kept : [] }
}

/** Without the marks above this one, which is on the trail or final. */
export const backTo = ({ final, trail }: Cursor, ancestor: Mark): Cursor => ({
  final,
  trail: trail.filter(({ number }) => number <= ancestor.number)
})

/** With more that is final: marks below are not needed any more. */
export const withFinal = ({ trail }: Cursor, final: Mark): Cursor => ({
  final,
  trail: trail.filter(({ number }) => number > final.number)
})

const MarkJson = Schema.Struct({ number: Schema.Int, hash: HexText })
const CursorJson = Schema.fromJsonString(
  Schema.Struct({ v: Schema.Literal(1), final: MarkJson, trail: Schema.Array(MarkJson) })
)

export const makeCursors = (state: ProviderState) => {
  const cursors = documents(state, CursorJson)
  const key = (chainId: number) => `cursor/${chainId}`
  return {
    get: (chainId: number) => cursors.get(key(chainId)),
    /** Where a chain is looked at for the first time. Another process may have been faster. */
    begin: (chainId: number, final: Mark) => cursors.add(key(chainId), { v: 1, final: markOf(final), trail: [] }),
    write: (chainId: number, { final, trail }: Cursor) =>
      cursors.update(key(chainId), () => ({ v: 1, final: markOf(final), trail: trail.map(markOf) }))
  }
}

const markOf = ({ hash, number }: Mark): Mark => ({ number, hash })

export type Cursors = ReturnType<typeof makeCursors>
