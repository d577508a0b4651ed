/** For vitest's `globalSetup`: a folder in which the first test with the example data of the dashboard leaves it for others. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const setup = () => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-example-"))
  // Threads get a copy of the environment.
  process.env["PAYMUX_EXAMPLE_DATA"] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

export default setup
