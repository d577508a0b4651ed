/** Search parameters of the URL, each with one or several values. Lists keep their filters there. */
import { useNavigate, useSearch } from "@tanstack/react-router"

export type Search = { readonly [name: string]: string | ReadonlyArray<string> | undefined }

export const parseSearch = (text: string): Search => {
  const search: { [name: string]: string | ReadonlyArray<string> } = {}
  const parameters = new URLSearchParams(text)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name).filter((value) => value !== "")
    const [first] = values
    if (first !== undefined) search[name] = values.length === 1 ? first : values
  }
  return search
}

export const stringifySearch = (search: object): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === "string" && each !== "") parameters.append(name, each)
    }
  }
  const text = parameters.toString()
  return text === "" ? "" : `?${text}`
}

/** All values of a parameter. */
export const valuesOf = (search: Search, name: string): ReadonlyArray<string> => {
  const value = search[name]
  return value === undefined ? [] : typeof value === "string" ? [value] : value
}

/** The only value of a parameter, or the first. */
export const valueOf = (search: Search, name: string): string | undefined => valuesOf(search, name)[0]

export const useListSearch = (): Search => useSearch({ strict: false })

/** Changes some parameters; `undefined` removes one. Filters begin at the first page again. */
export const useSetSearch = () => {
  const navigate = useNavigate()
  return (changes: Search) =>
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, after: undefined, ...changes })
    })
}
