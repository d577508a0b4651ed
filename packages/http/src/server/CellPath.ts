/**
 * Paths of a cell. All routes are also available under the prefix of the cell, such as `/cells/eu1`. So a load balancer
 * can route requests without an API key (pages for payers, webhooks of providers) by the prefix of the path. Routes are
 * declared without this prefix.
 *
 * @example
 * ```ts
 * cellPath("eu1") // => "/cells/eu1"
 * inCell("/cells/eu1/webhooks/acme") // => { cell: "eu1", url: "/webhooks/acme" }
 * inCell("/webhooks/acme") // => { cell: null, url: "/webhooks/acme" }
 * ```
 */

/**
 * Returns the path prefix of a cell, for URLs that are used without an API key. The prefix is empty if `cell` is
 * `null`, that is, the server is not a cell.
 */
export const cellPath = (cell: string | null): string => (cell === null ? "" : `/cells/${cell}`)

export interface PlaceInCell {
  /** The cell that the path names; `null` if the path has no cell prefix. */
  readonly cell: string | null
  /** The path and query, without the prefix of the cell. */
  readonly url: string
}

/**
 * Splits a path into the cell and the rest. The prefix is compared literally, so a percent-encoded form of it is an
 * unknown path.
 */
export const inCell = (url: string): PlaceInCell => {
  const [whole = "", cell] = url.startsWith(prefix) ? (pattern.exec(url) ?? []) : []
  return cell === undefined ? { cell: null, url } : { cell, url: url.slice(whole.length) }
}

const prefix = "/cells/"
const pattern = /^\/cells\/([a-z][0-9a-z]{0,7})(?=\/)/
