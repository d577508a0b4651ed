/**
 * Addresses of a cell: all routes are also under `/cells/eu1`, so that a load balancer can route requests without an API key
 * (pages of payers, webhooks of providers) by the prefix of the path. Routes are declared without this prefix.
 *
 * @example
 * ```ts
 * cellPath("eu1") // => "/cells/eu1"
 * inCell("/cells/eu1/webhooks/acme") // => { cell: "eu1", url: "/webhooks/acme" }
 * inCell("/webhooks/acme") // => { cell: null, url: "/webhooks/acme" }
 * ```
 */

/** The path prefix of a cell's addresses without an API key; empty for `null`, which is not a cell. */
export const cellPath = (cell: string | null): string => (cell === null ? "" : `/cells/${cell}`)

export interface PlaceInCell {
  /** The cell in the address; `null`: the address names no cell. */
  readonly cell: string | null
  /** The path and query, without the prefix of the cell. */
  readonly url: string
}

/** Splits an address. The path is compared literally: another encoding of it is an unknown address. */
export const inCell = (url: string): PlaceInCell => {
  const [whole = "", cell] = url.startsWith(prefix) ? (pattern.exec(url) ?? []) : []
  return cell === undefined ? { cell: null, url } : { cell, url: url.slice(whole.length) }
}

const prefix = "/cells/"
const pattern = /^\/cells\/([a-z][0-9a-z]{0,7})(?=\/)/
