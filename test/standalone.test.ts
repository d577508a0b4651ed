import { describe, expect, it } from "vitest"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buildStandalone } from "../scripts/standalone/build.ts"

interface Chunk {
  readonly file: string
  readonly imports: ReadonlyArray<string>
  readonly modules: ReadonlyArray<string>
  readonly characters: number
}

const built = async (): Promise<ReadonlyMap<string, Chunk>> => {
  const folder = await mkdtemp(join(tmpdir(), "paymux-standalone-"))
  const chunks = new Map<string, Chunk>()
  try {
    await buildStandalone(folder, [
      {
        name: "chunks",
        generateBundle: (_options, bundle) => {
          for (const output of Object.values(bundle)) {
            if (output.type !== "chunk") continue
            chunks.set(output.fileName, {
              file: output.fileName,
              imports: output.imports,
              modules: output.moduleIds,
              characters: output.code.length
            })
          }
        }
      }
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
  return chunks
}

/** What is loaded with a file, without what is imported on demand. */
const loadedWith = (chunks: ReadonlyMap<string, Chunk>, files: ReadonlyArray<string>): ReadonlyArray<Chunk> => {
  const seen = new Set<string>()
  const open = [...files]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    open.push(...(chunks.get(file)?.imports ?? []))
  }
  return [...seen].flatMap((file) => chunks.get(file) ?? [])
}

const packageOf = (module: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]

describe("paymux serve, until it is ready", async () => {
  const chunks = await built()
  const entries = [...chunks.keys()].filter((file) => /^(?:runCommand|serveCli)\b/.test(file))
  const loaded = loadedWith(chunks, entries)
  const modules = loaded.flatMap((chunk) => chunk.modules)

  it("loads few files, and little text", () => {
    expect(entries).toHaveLength(2)
    expect(loaded.length).toBeLessThanOrEqual(20)
    expect(loaded.reduce((sum, { characters }) => sum + characters, 0)).toBeLessThan(2_700_000)
  })

  it("imports only the packages that it needs", () => {
    const packages = new Set(modules.flatMap((module) => packageOf(module) ?? []))
    expect([...packages].sort()).toEqual([
      "@effect/platform-node",
      "@effect/platform-node-shared",
      "effect",
      "opossum",
      "otpauth",
      "ws"
    ])
  })

  it("loads no driver of PostgreSQL, no reader of rules files and no other command", () => {
    const unneeded = modules.filter((module) =>
      /\/(?:sql\/src\/postgres\/Postgres|paymux\/src\/(?:Postgres|rules\/(?:loadRules|yamlTree|startFromDatabase)|cli)\.ts)/.test(
        module
      )
    )
    expect(unneeded).toEqual([])
    expect(
      modules.filter((module) => /\/paymux\/src\/commands\/(?:payments|review|rules|webhooks|doctor|keys)/.test(module))
    ).toEqual([])
  })

  it("loads no part of effect that a server does not use", () => {
    const parts = new Set(modules.flatMap((module) => /\/effect\/dist\/([a-z-]+)\//.exec(module)?.[1] ?? []))
    for (const part of ["ai", "cluster", "rpc", "workflow", "eventlog", "graphql", "testing"])
      expect(parts).not.toContain(part)
  })
})
