/** A request as a route of a fake reads it. */
export interface FakeRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string }
  /** The body as it came. */
  readonly text: string
  /** The body as JSON; throws where it is none. Decode it by a Schema: a fake that is strict finds more. */
  readonly json: unknown
  /** The body as `application/x-www-form-urlencoded`. */
  readonly form: URLSearchParams
  /** A `:parameter` of the route; throws where the route has none of that name. */
  readonly param: (name: string) => string
}

export const fakeRequest = (parts: {
  readonly method: string
  readonly target: string
  readonly headers: { readonly [name: string]: string }
  readonly text: string
}): FakeRequest => {
  // Not against a base: a path of two slashes would be taken for a host.
  const url = new URL(`http://fake${parts.target}`)
  return {
    method: parts.method,
    path: url.pathname,
    query: url.searchParams,
    headers: parts.headers,
    text: parts.text,
    get json(): unknown {
      return JSON.parse(parts.text)
    },
    get form() {
      return new URLSearchParams(parts.text)
    },
    param: noParameter
  }
}

/** The request with the parameters that `METHOD /path/:parameter` finds in it; `null`: it is another route. */
export const matchRoute = (pattern: string, request: FakeRequest): FakeRequest | null => {
  const [method, path = ""] = pattern.split(" ")
  if (method !== request.method) return null
  const wanted = path.split("/")
  const given = request.path.split("/")
  if (wanted.length !== given.length) return null
  const found = new Map<string, string>()
  for (const [index, part] of wanted.entries()) {
    const value = decodeURIComponent(given[index] ?? "")
    if (part.startsWith(":")) found.set(part.slice(1), value)
    else if (part !== value) return null
  }
  // Getters are kept: the body is read when a route asks for it.
  return Object.create(request, { param: { value: (name: string) => found.get(name) ?? noParameter(name) } })
}

const noParameter = (name: string): never => {
  throw new Error(`the route has no parameter :${name}`)
}
