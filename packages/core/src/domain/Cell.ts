/**
 * Cells: installations with one database each, which share one API URL. The data of an account are in one cell. The ids
 * that a cell makes end with the cell's name, `pay_01jd8w6x2vh6k9v0q3f7m5t1ac_eu1`, so that they sort by time as all
 * ids do.
 *
 * The name in an id is the name of the cell that made the id. A cell also serves ids of another cell if its database
 * has their rows, so that an account can be moved. Only an id without a row in this database is rejected as an id of
 * another cell.
 */
import { Context, Effect } from "effect"

/** The name of the cell that runs here. `null` (default) if the installation is not divided into cells. */
export const Cell = Context.Reference<string | null>("@paymux/core/domain/Cell", { defaultValue: () => null })

/**
 * Whether an id without a cell name may belong to this installation: the installation is not a cell, or it had payments
 * before it became a cell. Default: `true`.
 */
export const OwnsIdsWithoutCell = Context.Reference<boolean>("@paymux/core/domain/Cell/OwnsIdsWithoutCell", {
  defaultValue: () => true
})

/** The criteria that identify the ids made by this installation. */
export interface OwnIds {
  /** The name of the installation's cell, see `Cell`. */
  readonly cell: string | null
  /** Whether an id without a cell name may belong to this installation, see `OwnsIdsWithoutCell`. */
  readonly withoutCell: boolean
}

export const notACell: OwnIds = { cell: null, withoutCell: true }

export const ownIds: Effect.Effect<OwnIds> = Effect.all({ cell: Cell, withoutCell: OwnsIdsWithoutCell })

/**
 * Formats the part of an error message about an id that belongs to another cell. `here` is `null` if this server is not
 * a cell.
 */
export const otherCellText = (cell: string, here: string | null): string =>
  `of cell ${cell}, and ${here === null ? "this server is not a cell" : `this is cell ${here}`}`

/**
 * Whether `text` is a valid cell name. It has at most eight characters, so that operation ids have at most 38:
 * providers accept at least 40.
 */
export const isCellName = (text: string): boolean => /^[a-z][0-9a-z]{0,7}$/.test(text)

/**
 * Extracts the cell name from the id of a payment, an operation or a refund; `null` if the id has no cell or is not
 * such an id.
 *
 * @internal Exported for tests that read the cell of an id.
 */
export const cellOf = (id: string): string | null =>
  /^(?:pay|op|re)_[0-9a-z]{26}_([a-z][0-9a-z]{0,7})$/.exec(id)?.[1] ?? null

/**
 * Extracts the cell name from an id if it is not `here`; `null` if the id's cell is `here`, or if the id has no cell.
 */
export const otherCellOf = (id: string, here: string | null): string | null => {
  const cell = cellOf(id)
  return cell === here ? null : cell
}

/**
 * Whether an id without a row in this database belongs to another installation that uses the same account at a
 * provider. Otherwise this installation has lost the row.
 */
export const isMadeElsewhere = (id: string, own: OwnIds): boolean => {
  const cell = cellOf(id)
  return cell === null ? !own.withoutCell : cell !== own.cell
}
