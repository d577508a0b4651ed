/** What browsers report about themselves that a create request would be refused for. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, vi } from "vitest"
import { browserFacts } from "../src/browser/browserFacts.ts"

// cspell:ignore unstub

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const reporting = (language: string, timeZone: string) => {
  vi.stubGlobal("navigator", { language })
  const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone }
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue(options)
  return browserFacts()
}

describe("facts of a browser", () => {
  it("are given as they are reported", () =>
    assert.deepStrictEqual(reporting("en-IN", "Asia/Calcutta"), { language: "en-IN", time_zone: "Asia/Calcutta" }))

  it.each([
    ["en-US@posix", "Etc/Unknown"],
    ["C", "local"],
    ["", ""]
  ])("are left out if they are no language (%j) and no time zone (%j)", (language, timeZone) =>
    assert.deepStrictEqual(reporting(language, timeZone), {})
  )
})
