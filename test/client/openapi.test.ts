/** The OpenAPI document that a server serves, and what is generated from it. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { servedDocument } from "../../packages/client/test/document.ts"

const root = resolve(import.meta.dirname, "../..")

/** Problems that Redocly finds by its recommended rules, errors and warnings alike. */
const lint = (document: unknown): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-openapi-"))
  try {
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(document))
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, "node_modules/@redocly/cli/bin/cli.js"), "lint", "openapi.json", "--format=json"],
      {
        cwd: folder,
        encoding: "utf8",
        // It sends no usage data.
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
      }
    )
    const { problems }: { readonly problems: ReadonlyArray<{ readonly ruleId: string; readonly message: string }> } =
      JSON.parse(stdout)
    return problems.map(({ message, ruleId }) => `${ruleId}: ${message}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("the OpenAPI document", () => {
  it("has nothing that Redocly's recommended rules find", async () => {
    const document = await servedDocument()
    assert.deepStrictEqual(lint(document), [])
    const wrong = lint({ ...document, paths: { ...document.paths, "/v1/extra": { get: {} } } })
    assert.include(wrong.join("\n"), "operation-summary")
  })

  it("says of a webhook what is sent", async () => {
    const document = JSON.stringify(await servedDocument())
    assert.include(document, `"webhooks":{"event":{"post":`)
    assert.notInclude(document, "Refund_1")
  })
})
