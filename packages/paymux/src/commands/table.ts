import CliTable from "cli-table3"
import { Console } from "effect"
import type { Effect } from "effect"
import { styleText } from "node:util"

/** Rows for people; colors only where the terminal has them. */
export const printTable = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): Effect.Effect<void> => {
  const table = new CliTable({
    head: head.map((cell) => styleText("bold", cell, { stream: process.stdout })),
    style: { head: [], border: [], compact: true },
    chars: borders
  })
  table.push(...rows.map((row) => [...row]))
  return Console.log(table.toString())
}

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
