/** The addresses that a server answers, as its edge has to know them. */

/** An address of the API and the methods it answers. */
export interface KnownRoute {
  readonly method: string
  /** As the router has it: `/v1/payments/:id`, or with any rest: `/dashboard/*`. */
  readonly path: string
  /** Where the route of any rest answers nothing: at this path and below it other routes do. */
  readonly except?: string
}

/** Whether a path is an address of the route. What begins with a colon is any one part; `/*` also matches nothing. */
export const matcherOf = ({ except, path }: Pick<KnownRoute, "path" | "except">): ((path: string) => boolean) => {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/:[A-Za-z_]+/g, "[^/]+")
    .replace(/\/\*$/, "(?:/.*)?")
  const pattern = new RegExp(`^${source}$`)
  return except === undefined
    ? (asked) => pattern.test(asked)
    : (asked) => pattern.test(asked) && !isWithin(except, asked)
}

/** Whether the address is this path or below it, in any spelling that the router reads as such. */
export const isWithin = (path: string, asked: string): boolean => {
  const read = decoded(asked)
  return read === path || read.startsWith(`${path}/`)
}

const decoded = (path: string): string => {
  if (!path.includes("%")) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
