/** Lines of a CSV file (RFC 4180) that a spreadsheet opens without running anything. */

/** A spreadsheet takes a cell that begins so for a formula. */
const formula = /^[=+\-@\t\r]/

/** Where the separator of the spreadsheet is a semicolon or a tab, a cell of this file is several of its cells and lines. */
const formulaInside = /([;\t\r\n][ "]*)(?=[=+\-@])/g

const cell = (value: string): string => {
  const inside = value.replaceAll(formulaInside, "$1'")
  const safe = formula.test(inside) ? `'${inside}` : inside
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: ReadonlyArray<string>): string => `${cells.map(cell).join(",")}\r\n`
