/**
 * Cells: installations with one database each, behind one address. An account lives in one cell. The ids that a cell makes end
 * with its name, `pay_01jd8w6x2vh6k9v0q3f7m5t1ac_eu1`, so that they sort by time as all ids do.
 *
 * The name in an id says where it was made. A cell also answers for ids of another one, if it has their rows: so an account
 * can be moved. Only what is not found is refused as that of another cell.
 */
import { Context } from "effect"

/** The name of the cell that runs here. `null`, the default: the installation is not divided into cells. */
export const Cell = Context.Reference<string | null>("@paymux/core/domain/Cell", { defaultValue: () => null })

/** Eight characters: ids of operations then have 38, and providers accept 40 and more. */
export const isCellName = (text: string): boolean => /^[a-z][0-9a-z]{0,7}$/.test(text)

/** The cell in the id of a payment, an operation or a refund; `null`: it has none, or `id` is not such an id. */
export const cellOf = (id: string): string | null =>
  /^(?:pay|op|re)_[0-9a-z]{26}_([a-z][0-9a-z]{0,7})$/.exec(id)?.[1] ?? null

/**
 * The cell in the id, if that is not `here`. An id without a cell can be of any installation, such as this one before it became
 * a cell.
 */
export const otherCellOf = (id: string, here: string | null): string | null => {
  const cell = cellOf(id)
  return cell === here ? null : cell
}
