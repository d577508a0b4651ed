/** The tests of the PostgreSQL store on each version that is supported, as far as the machine has it. */
import { assert, describe, it } from "@effect/vitest"
import { execFile, execFileSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { slice } from "../support/amount.ts"
import { embeddedPostgres, startPostgres } from "../support/PostgresServer.ts"

const versions = [15, 16, 17, 18]

/** `POSTGRES_16` and so on; where packages of Debian, of PostgreSQL for RPM, and Homebrew put a version; that of `npm install`. */
const foldersOf = (version: number): ReadonlyArray<string> => [
  process.env[`POSTGRES_${version}`] ?? "",
  `/usr/lib/postgresql/${version}`,
  `/usr/pgsql-${version}`,
  `/opt/homebrew/opt/postgresql@${version}`,
  embeddedPostgres()
]

const isOfVersion = (folder: string, version: number): boolean => {
  const postgres = join(folder, "bin", "postgres")
  return (
    existsSync(postgres) &&
    execFileSync(postgres, ["--version"], { encoding: "utf8" }).includes(`(PostgreSQL) ${version}.`)
  )
}

const tests = globSync(["packages/sql/test/**/*.test.ts", "test/postgres.test.ts"]).filter((file) =>
  readFileSync(file, "utf8").includes("/PostgresDatabases.ts")
)

const found = versions.map((version) => ({
  version,
  native: foldersOf(version).find((folder) => isOfVersion(folder, version))
}))
const available = found.filter(({ native }) => native !== undefined)

describe("the tests of the store pass", () => {
  it.skip.each(found.filter(({ native }) => native === undefined))(
    "on PostgreSQL $version · this machine has none of that version",
    () => {}
  )

  it.each(slice(available, available.length))("on PostgreSQL $version", async ({ native }) => {
    const server = await startPostgres(native === undefined ? {} : { native })
    try {
      const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs")
      const { stderr, stdout } = await promisify(execFile)(
        process.execPath,
        // Beside the other long tests.
        [vitest, "run", "--silent=true", "--maxWorkers=2", ...tests],
        { env: { ...process.env, DATABASE_URL: server.url, NO_COLOR: "1" }, maxBuffer: 2 ** 26 }
      ).catch((error: { readonly stderr: string; readonly stdout: string }) => error)
      assert.match(stdout, /Tests {2}\d+ passed/, stderr)
    } finally {
      await server.stop()
    }
  })
})
