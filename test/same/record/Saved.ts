/** What entries saved, for later ones: ids, secrets, addresses. */

const placeholder = /\{([a-z]\w*)\}/g

export class Saved {
  readonly #values = new Map<string, string>()

  set(values: { readonly [name: string]: string }): void {
    for (const [name, value] of Object.entries(values)) this.#values.set(name, value)
  }

  /** What is not found is saved as such: the answer that lacks it is the difference. */
  save(text: string, places: { readonly [name: string]: string | RegExp } = {}): void {
    for (const [name, place] of Object.entries(places)) this.#values.set(name, found(text, place) ?? `no_${name}`)
  }

  filled(text: string): string {
    return text.replaceAll(placeholder, (_, name: string) => {
      const value = this.#values.get(name)
      if (value === undefined) throw new Error(`The corpus uses {${name}} before an entry saves it.`)
      return value
    })
  }

  /** Signing secrets of endpoints. */
  secrets(): ReadonlyArray<string> {
    return [...new Set(this.#values.values())].filter((value) => value.startsWith("whsec_"))
  }
}

/** `GET /v1/payments/{id}`: which payment it is does not make a route, nor does the query. */
export const routeOf = (send: string): string =>
  send.replace(/\?.*$/, "").replaceAll(placeholder, (_, name: string) => (name.endsWith("_token") ? "{token}" : "{id}"))

const found = (text: string, place: string | RegExp): string | null => {
  if (place instanceof RegExp) return place.exec(text)?.[1] ?? null
  try {
    const value = place
      .split(".")
      .reduce<unknown>((node, key) => Object.getOwnPropertyDescriptor(Object(node), key)?.value, JSON.parse(text))
    return typeof value === "string" || typeof value === "number" ? String(value) : null
  } catch {
    return null
  }
}
