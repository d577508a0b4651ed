/** The package whose source a file is; `null`: it is no source, or generated. */
export const packageOf = (file: string): string | null => {
  const [, name = null] = /^packages\/(dashboard\/app|adapters\/[^/]+|[^/]+)\/src\//.exec(file) ?? []
  return /\/generated\/|\.d\.ts$/.test(file) ? null : name
}

export type Room = "tests" | "suites" | "benches" | "scripts"

/** What a file is for that is no source. */
export const roomOf = (file: string): Room | null => {
  if (file.startsWith("scripts/")) return "scripts"
  if (file.startsWith("test/bench/")) return "benches"
  if (file.startsWith("test/suites/src/")) return "suites"
  return /^(?:test|(?:packages|docs\/examples)\/(?:.+\/)?test)\//.test(file) ? "tests" : null
}
