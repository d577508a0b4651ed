/** The guide shows the examples as they are. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Host.ts"

const read = (path: string): string => readFileSync(join(root, path), "utf8")
const guide = read("docs/guide/hosts.md")
/** Each block, by the file that its fence names. */
const shown = new Map(
  [...guide.matchAll(/^```ts (\S+)\n([^]*?)^```$/gm)].map(([, path = "", code = ""]) => [path, code])
)

describe("docs/guide/hosts.md", () => {
  it("shows the files of the examples as they are, each but once", () => {
    const files = globSync("docs/examples/{express,fastify,hono,fetch,nestjs,nextjs}/**/*.{ts,mts}", {
      cwd: root,
      exclude: ["**/node_modules/**", "**/dist/**", "**/.next/**", "**/next-env.d.ts", "**/orders/**"]
    }).map((path) => path.replaceAll("\\", "/"))
    const missing = files.filter((path) => ![...shown.values()].includes(read(path)))
    assert.deepStrictEqual(missing, [])
    for (const [path, code] of shown) assert.strictEqual(code, read(path), path)
  })
})
