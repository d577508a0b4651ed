/** The parts of a text that differences are named by: the values of JSON by their pointers, else the lines. */

/** `null`: it has no parts. */
export const partsOf = (text: string): ReadonlyMap<string, string> | null => {
  const json = parsed(text)
  if (typeof json === "object" && json !== null) return new Map(leaves(json, ""))
  const lines = text.split("\n")
  return lines.length < 2 ? null : new Map(lines.map((line, index) => [`line ${index + 1}`, line]))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const leaves = (value: unknown, pointer: string): ReadonlyArray<readonly [string, string]> => {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    return [[pointer, JSON.stringify(value)]]
  }
  return Object.entries(value).flatMap(([name, child]: [string, unknown]) => leaves(child, `${pointer}/${name}`))
}
