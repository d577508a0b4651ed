import { Console, Effect } from "effect"
import { styleText } from "node:util"

/** Rows for people; colors only where the terminal has them. */
export const printTable = Effect.fnUntraced(function* (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
) {
  const { default: CliTable } = yield* Effect.promise(() => import("cli-table3"))
  const table = new CliTable({
    head: head.map((cell) => styleText("bold", cell, { stream: process.stdout })),
    style: { head: [], border: [], compact: true },
    chars: borders
  })
  table.push(...rows.map((row) => [...row]))
  yield* Console.log(table.toString())
})

/** A page of a list. */
interface PrintedPage<Entry> {
  /** The cursor of the next page; `null`: it is the last, or the only one. */
  readonly next: string | null
  readonly entries: ReadonlyArray<Entry>
  readonly json: boolean
  /** Printed if there are no entries. */
  readonly none: string
  readonly head: ReadonlyArray<string>
  readonly row: (entry: Entry) => ReadonlyArray<string>
}

/** As a table or as JSON; what is no entry goes to standard error. */
export const printPage = Effect.fnUntraced(function* <Entry>(page: PrintedPage<Entry>) {
  const { entries, head, json, next, none, row } = page
  if (next !== null) yield* Console.error(`There are more: --after ${next}`)
  if (json) return yield* Console.log(JSON.stringify(entries, null, 2))
  if (entries.length === 0) return yield* Console.error(none)
  yield* printTable(head, entries.map(row))
})

const borders = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  "
}
