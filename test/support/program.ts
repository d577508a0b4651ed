/**
 * The programs that tests start as processes, each built from its source into few files: a process starts from those
 * several times as fast. They are kept until a source changes.
 */
import { createHash, randomUUID } from "node:crypto"
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")

const entries = {
  paymux: "packages/paymux/src/bin.ts",
  /** Not programs: started as threads, and found beside what starts them. */
  RulesWorker: "packages/paymux/src/rules/worker/RulesWorker.ts",
  WriterThread: "packages/sql/src/sqlite/writer/WriterThread.ts",
  commands: "packages/paymux/test/CommandsProcess.ts",
  crashEngine: "test/crash/processes/engine.ts",
  crashVendor: "test/crash/processes/vendor.ts",
  crashWebhookWorker: "test/crash/processes/webhookWorker.ts",
  eventReader: "test/events/processes/reader.ts",
  eventWriter: "test/events/processes/writer.ts",
  orderServer: "test/orders/processes/server.ts",
  endsServer: "test/ends/processes/Server.ts",
  mutationsServer: "test/promises/mutations/server.ts",
  secrecyServer: "test/promises/secrecy/server.ts"
} as const

export type Program = Exclude<keyof typeof entries, "RulesWorker" | "WriterThread">

/** The file that Node runs for it. */
export const fileOfProgram = async (program: Program): Promise<string> => {
  built ??= build()
  return join(await built, "dist", `${program}.js`)
}

let built: Promise<string> | undefined

const build = async (): Promise<string> => {
  const folder = join(root, "node_modules/.cache/programs", digestOfSources())
  if (existsSync(folder)) return folder
  // Another thread may be at it, too: each builds in a folder of its own, and the first one stays.
  const own = `${folder}.${randomUUID()}`
  const vite = await import("vite")
  await vite.build({
    root,
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: join(own, "dist"),
      minify: false,
      target: "esnext",
      rolldownOptions: {
        input: entries,
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" }
      }
    }
  })
  mkdirSync(own, { recursive: true })
  // Its version and its templates are read from beside `dist`, as in the published package.
  for (const beside of ["package.json", "templates"])
    cpSync(join(root, "packages/paymux", beside), join(own, beside), { recursive: true })
  try {
    renameSync(own, folder)
  } catch {
    rmSync(own, { recursive: true })
  }
  return folder
}

const digestOfSources = (): string => {
  const hash = createHash("sha256")
  for (const file of globSync(
    [
      "packages/**/{src,test}/**/*.ts",
      "packages/paymux/templates/**/*.*",
      "test/**/*.ts",
      "**/package.json",
      "pnpm-lock.yaml"
    ],
    {
      cwd: root,
      exclude: ["**/node_modules/**", "**/dist/**"]
    }
  ).sort()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest("hex").slice(0, 16)
}
