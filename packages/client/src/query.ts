/** The parameters of an address: several values of one name repeat it. */
export const query = (parameters: Iterable<readonly [name: string, value: Value | ReadonlyArray<Value>]>): string => {
  const values = [...parameters].flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const))
  const given = values.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`
}

type Value = string | number | undefined
