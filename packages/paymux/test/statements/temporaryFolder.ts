import { afterAll } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder until the tests of the file have ended. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-statements-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
