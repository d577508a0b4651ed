/** Lines of a CSV file (RFC 4180) that a spreadsheet opens without running anything. */

/** A spreadsheet takes a cell that begins so for a formula. */
const formula = /^[=+\-@\t\r]/

const cell = (value: string): string => {
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: ReadonlyArray<string>): string => `${cells.map(cell).join(",")}\r\n`
