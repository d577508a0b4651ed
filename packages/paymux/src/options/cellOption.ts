/** The option `cell`: the name of the cell that a server is. */
import { isCellName } from "@paymux/core/store"

export const cellProblems = (cell: unknown): ReadonlyArray<string> =>
  cell === undefined || (typeof cell === "string" && isCellName(cell))
    ? []
    : ["cell must have 1 to 8 lower-case letters or digits, and begin with a letter, such as eu1."]
