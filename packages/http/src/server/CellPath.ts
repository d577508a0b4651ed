/**
 * Addresses of a cell: under `/cells/eu1` all routes are found again, so that a load balancer can route requests without an API
 * key (pages of payers, webhooks of providers) by the start of the path. The routes themselves know nothing of it.
 *
 * @example
 * ```ts
 * cellPath("eu1") // => "/cells/eu1"
 * inCell("/cells/eu1/webhooks/acme") // => { cell: "eu1", url: "/webhooks/acme" }
 * inCell("/webhooks/acme") // => { cell: null, url: "/webhooks/acme" }
 * ```
 */

/** How every address of the cell begins that is used without an API key; empty for `null`, which is not a cell. */
export const cellPath = (cell: string | null): string => (cell === null ? "" : `/cells/${cell}`)

export interface PlaceInCell {
  /** The cell that the address names. `null`: none. */
  readonly cell: string | null
  /** The path and query, as the routes have it. */
  readonly url: string
}

/** An address is read letter by letter: what is spelled otherwise is an unknown address. */
export const inCell = (url: string): PlaceInCell => {
  const [whole = "", cell] = url.startsWith(prefix) ? (pattern.exec(url) ?? []) : []
  return cell === undefined ? { cell: null, url } : { cell, url: url.slice(whole.length) }
}

const prefix = "/cells/"
const pattern = /^\/cells\/([a-z][0-9a-z]{0,7})(?=\/)/
