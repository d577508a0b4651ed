/** Where the handlers stand in their host: option `basePath`, and which paths are theirs. */

/** Without the slashes at its end: `/payments/` and `/payments` are the same, `/` is the root. */
export const normalBasePath = (given: string): string => given.replace(/\/+$/, "")

/** It is compared letter by letter with what clients send, so there is one spelling only. */
export const basePathProblems = (given: string | undefined, publicUrl: string): ReadonlyArray<string> => {
  const basePath = normalBasePath(given ?? "")
  if (basePath === "") return []
  const segments = basePath.slice(1).split("/")
  const isPath =
    basePath.startsWith("/") &&
    basePath.length <= 200 &&
    segments.every((segment) => /^[A-Za-z0-9._~-]+$/.test(segment) && !/^\.+$/.test(segment))
  if (!isPath) {
    return ['basePath must be a path such as "/payments": a slash, then letters, digits, ., _, ~ or - between slashes.']
  }
  return URL.canParse(publicUrl) && normalBasePath(new URL(publicUrl).pathname).endsWith(basePath)
    ? [`publicUrl must not end in the basePath ${basePath}: it is added to it.`]
    : []
}

/** The settings that say which areas are served; `null`: it is not. */
interface Owned {
  readonly basePath: string
  readonly cell: unknown
  readonly sandbox: unknown
  readonly dashboard: unknown
}

/**
 * Whether a path, or a whole address, is the handlers'. Under a base path all is; at the root the areas are, while
 * `/healthz`, `/readyz` and `/metrics` are left to the host.
 */
export const owner = ({ basePath, cell, dashboard, sandbox }: Owned) => {
  const rooted = [
    ...rootAreas,
    ...(cell === null ? [] : ["/cells"]),
    ...(sandbox === null ? [] : ["/sandbox"]),
    ...(dashboard === null ? [] : ["/dashboard"])
  ]
  const areas = basePath === "" ? rooted : [basePath]
  return (address: string): boolean => {
    const path = pathOf(address)
    return areas.some((area) => path === area || path.startsWith(`${area}/`))
  }
}

const rootAreas: ReadonlyArray<string> = ["/v1", "/webhooks", "/return", "/pay", "/docs/problems"]

const pathOf = (address: string): string => {
  const path = address.startsWith("/") || !URL.canParse(address) ? address : new URL(address).pathname
  return path.split(/[?#]/, 1)[0] ?? ""
}
