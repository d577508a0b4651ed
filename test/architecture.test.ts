/** The house as it is meant to stand. A list below is changed on purpose, in the change that needs it. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import {
  cycles,
  dependencyFaults,
  exportedTwice,
  forbiddenImports,
  found,
  importsFromOutside,
  otherEffectModules,
  tooLong,
  unusedDependencies,
  upwardImports
} from "./architecture/rules.ts"
import type { Manifest, Package, Room } from "./architecture/rules.ts"
import { exportedNames } from "./architecture/exportedNames.ts"
import { sourceFile } from "./architecture/SourceFile.ts"
import type { SourceFile } from "./architecture/SourceFile.ts"

/** The index of core, and its entries for these roles. */
const core = (...roles: ReadonlyArray<string>): ReadonlyArray<string> => [
  "@paymux/core",
  ...roles.map((role) => `@paymux/core/${role}`)
]

const rooms: { readonly [name: string]: Room } = {
  "@paymux/core": { siblings: [], packages: ["effect", "opossum"], families: [], node: false },
  "@paymux/provider-kit": { siblings: ["@paymux/core"], packages: ["effect"], families: ["http"], node: true },
  "@paymux/routing": { siblings: core("routing", "store"), packages: ["effect"], families: [], node: false },
  "@paymux/sql": {
    siblings: core("engine", "statement", "store"),
    packages: ["effect", "@effect/sql-pg"],
    families: ["sql", "reactivity"],
    node: true
  },
  "@paymux/http": {
    siblings: core("store", "telemetry", "wire"),
    packages: ["effect"],
    families: ["http", "http-api", "persistence", "sql"],
    node: true
  },
  "@paymux/webhooks": {
    siblings: core("engine", "store", "wire"),
    packages: ["effect"],
    families: ["sql"],
    node: true
  },
  // It runs wherever there is fetch and WebCrypto, and brings nothing along.
  "@paymux/client": { siblings: [], packages: [], families: [], node: false },
  "@paymux/sandbox": {
    siblings: [...core("statement", "store", "wire"), "@paymux/provider-kit"],
    packages: ["effect"],
    families: ["http", "sql"],
    node: false
  },
  "@paymux/checkout": {
    siblings: core("store", "wire"),
    packages: ["effect", "qrcode"],
    families: ["http"],
    node: true
  },
  "@paymux/dashboard": {
    siblings: [
      ...core("engine", "store", "telemetry", "wire"),
      "@paymux/http",
      "@paymux/routing",
      "@paymux/sql",
      "@paymux/webhooks"
    ],
    packages: ["@zxcvbn-ts/language-common", "effect", "openid-client", "otpauth", "qrcode"],
    families: ["http", "http-api", "sql"],
    node: true
  },
  "@paymux/testkit": {
    siblings: core("engine", "routing", "statement", "store"),
    packages: ["effect", "@effect/vitest"],
    families: ["testing"],
    node: true
  },
  // Private to the workspace.
  "@paymux/test-suites": {
    siblings: [...core("engine", "store", "wire"), "@paymux/routing", "@paymux/testkit/memory-store"],
    packages: ["effect", "@effect/vitest", "ajv"],
    families: ["testing"],
    node: true
  },
  paymux: {
    siblings: [
      ...core("engine", "routing", "statement", "store", "telemetry", "wire"),
      "@paymux/checkout",
      "@paymux/client",
      "@paymux/dashboard",
      "@paymux/http",
      "@paymux/routing",
      "@paymux/sandbox",
      "@paymux/sql",
      "@paymux/webhooks"
    ],
    packages: [
      "effect",
      "@effect/platform-node",
      "cli-progress",
      "cli-table3",
      "csv-parse",
      "diff",
      "yaml",
      "yocto-spinner"
    ],
    families: ["cli", "http", "observability", "sql"],
    node: true
  }
}

/** Every package under packages/adapters, and the adapter among the examples. Of core they have the index and the statement. */
const adapter: Room = {
  siblings: [...core("statement"), "@paymux/provider-kit", "@paymux/testkit/fake"],
  packages: ["csv-parse", "effect", "jose", "qrcode", "viem"],
  families: ["http"],
  node: true
}

/** The folders of a package's sources as floors, the lowest first: no import runs from a floor to a higher one. */
const floors: { readonly [folder: string]: ReadonlyArray<string> } = {
  // A problem is the response to any failure; a request carries its id, note and body; auth finds its account; the request log
  // records it; the server is the edge around all routes; pages are responses of routes; OpenAPI describes the routes from outside.
  "packages/http": ["problems", "request", "auth", "requestLog", "server", "pages", "routes", "openapi"],
  // The vocabulary; its public JSON; the port to the database; the port to adapters; the choice of providers; what is counted; guards of
  // calls; statements; and on top the execution, whose rooms are `begin`, `send`, `conclude`, `recover`, `restore` and `records`.
  "packages/core": [
    "domain",
    "wire",
    "store",
    "provider",
    "routing",
    "telemetry",
    "resilience",
    "statement",
    "execution"
  ],
  // A table's rows, then statements for both databases, then each database, then features over them.
  "packages/sql": [
    "migrations",
    "rows",
    "dialect",
    "lists",
    "store",
    "sqlite",
    "postgres",
    "statement",
    "reports",
    "stats",
    "breakers",
    "queries"
  ]
}

/** Entry points: an index lists a package, or a role of it, and imports from everywhere. */
const isEntry = ({ path }: SourceFile): boolean => path.endsWith("/index.ts")

/** Other modules of its package that a module of core may import. */
const MOST_IMPORTS = 20

/** Root modules of effect that core and routing may use. Each is stable, or (Schema) stable in what they take from it. */
const coreMayUse = [
  "Cause",
  "Clock",
  "Context",
  "Data",
  "DateTime",
  "Deferred",
  "Duration",
  "Effect",
  "Exit",
  "Fiber",
  "Latch",
  "Layer",
  "Metric",
  "Option",
  "Predicate",
  "PubSub",
  "Queue",
  "Random",
  "Redacted",
  "Result",
  "Schedule",
  "Schema",
  "SchemaAST",
  "SchemaIssue",
  "SchemaTransformation",
  "Scope",
  "Semaphore",
  "Tracer"
]

/** Root modules that effect itself marks as unstable: a minor release of effect may break them, so core keeps off. */
const unstable = [
  "Arbitrary",
  "ByteSize",
  "Bytes",
  "ChannelSchema",
  "ErrorReporter",
  "ExecutionPlan",
  "FileSystem",
  "Graph",
  "HashRing",
  "LayerMap",
  "LayerRef",
  "Newtype",
  "PartitionedSemaphore",
  "Path",
  "PlatformError",
  "SemVer",
  "SemVerRange",
  "Stdio",
  "Terminal",
  "TxChunk",
  "Version"
]

const root = posix.resolve(import.meta.dirname.replaceAll("\\", "/"), "..")
const read = (path: string): string => readFileSync(posix.join(root, path), "utf8")
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => sourceFile(path, read(path)))

const packages: ReadonlyArray<Package> = globSync(
  ["packages/{,adapters/}*/package.json", "docs/examples/adapter/package.json", "test/suites/package.json"],
  { cwd: root }
).map((path) => {
  const folder = posix.dirname(path.replaceAll("\\", "/"))
  const manifest: Manifest = JSON.parse(read(path))
  const src = sources(`${folder}/src/**/*.ts`)
  return { folder, manifest, src, other: sources(`${folder}/{test,demo,templates}/**/*.ts`) }
})
/** The pages of the dashboard: a private package, built by Vite to files that @paymux/dashboard serves. */
const app: Package = {
  folder: "packages/dashboard/app",
  manifest: JSON.parse(read("packages/dashboard/app/package.json")),
  src: sources("packages/dashboard/app/src/**/*.{ts,tsx}"),
  other: sources("packages/dashboard/app/vite.config.ts")
}
const src = packages.flatMap((each) => each.src)
const coreAndRouting = src.filter(({ path }) => /^packages\/(?:core|routing)\//.test(path))
/** The names of each entry. */
const coreEntries = Object.fromEntries(
  Object.entries<string | null>(JSON.parse(read("packages/core/package.json")).exports).flatMap(([entry, file]) =>
    file?.endsWith(".ts") === true
      ? [[posix.join("@paymux/core", entry), exportedNames(posix.join("packages/core", file), read)] as const]
      : []
  )
)
const roomOf = ({ folder, manifest }: Package): Room | undefined =>
  /^(packages\/adapters|docs\/examples)\//.test(folder) ? adapter : rooms[manifest.name]

describe("the house", () => {
  it("every package has a room here, and every room a package", () => {
    const known = packages.filter((each) => roomOf(each) !== undefined).map(({ manifest }) => manifest.name)
    assert.sameMembers(
      packages.map(({ manifest }) => manifest.name),
      known
    )
    assert.includeMembers(known, Object.keys(rooms))
    for (const { folder, src } of packages) assert.isNotEmpty(src, folder)
  })

  for (const each of packages) {
    const room = roomOf(each)
    if (room === undefined) continue
    it(`${each.manifest.name} imports only what its room has`, () => {
      assert.deepStrictEqual(forbiddenImports(each, room), [])
    })
    it(`${each.manifest.name} declares what it imports, and imports what it declares`, () => {
      assert.deepStrictEqual(dependencyFaults(each), [])
    })
  }

  it("the pages of the dashboard import their own files, what they declare, and core", () => {
    assert.isNotEmpty(app.src)
    const declared = Object.keys(app.manifest.devDependencies ?? {}).filter((name) => name !== "@paymux/core")
    const room: Room = { siblings: core("store"), packages: declared, families: [], node: false }
    assert.deepStrictEqual(forbiddenImports(app, room), [])
  })

  it("the pages of the dashboard import what they declare: effect is for core, and the style sheet imports tailwindcss", () => {
    assert.deepStrictEqual(unusedDependencies(app, ["effect", "tailwindcss"]), [])
  })

  it("no files import each other in a circle, not even for types", () => {
    assert.deepStrictEqual(cycles([...src, ...app.src]), [])
  })

  for (const [folder, order] of Object.entries(floors)) {
    it(`no import of ${folder} runs from a floor to a higher one: ${order.join(" < ")}`, () => {
      const files = src.filter((file) => file.path.startsWith(`${folder}/src/`) && !isEntry(file))
      assert.isNotEmpty(files)
      for (const floor of order) {
        assert.isTrue(
          files.some(({ path }) => path.startsWith(`${folder}/src/${floor}/`)),
          `${floor} is a folder`
        )
      }
      assert.deepStrictEqual(upwardImports(files, `${folder}/src`, order), [])
    })
  }

  it(`no module of core imports more than ${MOST_IMPORTS} others`, () => {
    const many = src
      .filter((file) => file.path.startsWith("packages/core/src/") && !isEntry(file))
      .map(({ imports, path }) => ({
        path,
        count: new Set(imports.map(({ specifier }) => specifier).filter((specifier) => specifier.startsWith("."))).size
      }))
      .filter(({ count }) => count > MOST_IMPORTS)
    assert.deepStrictEqual(many, [])
  })

  it("the judge of the simulation imports nothing but itself: it cannot share the engine's mistakes", () => {
    const folder = "test/suites/src/simulation/judge"
    const judge = src.filter(({ path }) => path.startsWith(`${folder}/`))
    assert.isNotEmpty(judge)
    assert.deepStrictEqual(importsFromOutside(judge, folder), [])
  })

  it("simulated vendors know the judge's sums and the plan, and nothing of the engine", () => {
    const folder = "test/suites/src/simulation"
    const vendors = src.filter(({ path }) => path.startsWith(`${folder}/vendor/`) || path === `${folder}/Plan.ts`)
    assert.isNotEmpty(vendors)
    assert.deepStrictEqual(importsFromOutside(vendors, folder), [])
  })

  it("no source file is longer than 400 lines, but what a program writes and none reads", () => {
    const written = [...src, ...app.src].filter(({ path }) => !path.includes("/generated/"))
    assert.deepStrictEqual(tooLong(written, 400), [])
  })

  it("sources have no any, no non-null assertion and no @ts- comment", () => {
    assert.deepStrictEqual(found([...src, ...app.src], ["any", "non-null", "ts-comment"]), [])
  })

  it("a function is pure or returns an effect: no generator is left to be delegated to", () => {
    assert.deepStrictEqual(found(src, ["bare-generator"]), [])
  })

  it("sources read neither the system's clock nor Math.random: time and randomness come from effect, which the client has not", () => {
    assert.deepStrictEqual(found(src, ["clock", "random"], ["packages/client/src/Runtime.ts"]), [])
  })

  it("no test ends sooner than what hangs: a busy machine takes several times as long", () => {
    const files = globSync(["{packages,docs,test}/**/*.test.ts"], {
      cwd: root,
      exclude: ["**/node_modules", "**/dist"]
    })
    const tests = files.map((path) => sourceFile(path, read(path)))
    assert.deepStrictEqual(found(tests, ["short-limit"]), [])
  })

  it("only resetSocket resets a connection: after an end, Node would lose its handle", () => {
    const files = globSync(["packages/**/*.ts", "test/**/*.ts"], { cwd: root, exclude: ["**/node_modules", "**/dist"] })
    const resets = files.filter((file) => /\.resetAndDestroy\(/.test(read(file)))
    assert.deepStrictEqual(resets, ["packages/testkit/src/fake/resetSocket.ts"])
  })

  it("the index of core has at most 100 names: what adapters and hosts need, and no part of the engine", () => {
    assert.isAtMost(coreEntries["@paymux/core"]?.length ?? Infinity, 100)
  })

  it("no name is exported from two entries of core", () => {
    assert.sameMembers(Object.keys(coreEntries), [
      ...core("engine", "routing", "statement", "store", "telemetry", "wire")
    ])
    assert.deepStrictEqual(exportedTwice(coreEntries), [])
  })

  it("core and routing use no root module of effect outside this list", () => {
    assert.deepStrictEqual(otherEffectModules(coreAndRouting, coreMayUse), [])
  })

  it("core and routing use no root module of effect that is marked as unstable", () => {
    assert.deepStrictEqual(
      coreMayUse.filter((module) => unstable.includes(module)),
      []
    )
    assert.deepStrictEqual(markedUnstable(), unstable)
  })

  it("an adapter imports neither its fake nor the testkit: they are in its entry ./testing alone", () => {
    const adapters = src.filter(({ path }) => /^packages\/adapters\/[^/]+\/src\/(?!testing\/)/.test(path))
    assert.isNotEmpty(adapters)
    const testing = adapters.flatMap(({ imports, path }) =>
      imports
        .filter(({ specifier }) => /^@paymux\/testkit|\/testing\//.test(specifier))
        .map(({ specifier }) => `${path} ${specifier}`)
    )
    assert.deepStrictEqual(testing, [])
  })

  it("the examples import Paymux by the names of its packages, as any application does", () => {
    const examples = sources("docs/examples/**/*.ts")
    assert.isNotEmpty(examples)
    const reaching = examples.flatMap(({ imports, path }) =>
      imports.filter(({ specifier }) => specifier.includes("packages/")).map(({ specifier }) => `${path} ${specifier}`)
    )
    assert.deepStrictEqual(reaching, [])
  })
})

/** A module is what the comment at its head says. The index carries the heads of all. */
const markedUnstable = (): ReadonlyArray<string> => {
  const folder = "node_modules/effect/src"
  return globSync(`${folder}/*.ts`, { cwd: root })
    .map((path) => posix.basename(path.replaceAll("\\", "/"), ".ts"))
    .filter((module) => module !== "index")
    .filter((module) => /^\s*\/\*\*[^]*?\*\//.exec(read(`${folder}/${module}.ts`))?.[0].includes("@stability unstable"))
    .sort()
}

describe("the rules themselves", () => {
  const room: Room = { siblings: core("store"), packages: ["effect"], families: ["http"], node: false }
  const made = (text: string, path = "packages/made/src/Made.ts") => sourceFile(path, text)
  const pack = (text: string, manifest: Partial<Manifest> = {}): Package => ({
    folder: "packages/made",
    manifest: { name: "@paymux/made", ...manifest },
    src: [made(text)],
    other: []
  })

  it("let through what a room has", () => {
    const text = `
      import { Effect } from "effect"
      import * as Clock from "effect/Clock"
      import type { HttpRouter } from "effect/http"
      import { Payments } from "@paymux/core"
      import { PaymentStore } from "@paymux/core/store"
      export * from "./Other.ts"
      // import "node:fs"
      const text = 'import { x } from "opossum"'
    `
    assert.deepStrictEqual(forbiddenImports(pack(text), room), [])
  })

  for (const [what, text] of [
    ["a module of Node.js", 'import { join } from "node:path"'],
    ["a sibling", 'import { HttpApp } from "@paymux/http"'],
    ["the assembler", 'import type { Paymux } from "paymux"'],
    ["itself by name", 'import { Made } from "@paymux/made"'],
    ["an adapter", 'import { acme } from "@paymux/acme"'],
    ["an entry that is not listed", 'import { Executor } from "@paymux/core/engine"'],
    ["the inside of a package", 'import { Payment } from "@paymux/core/src/domain/Payment.ts"'],
    ["an unlisted package", 'import pg from "pg"'],
    ["an unlisted family of effect", 'import { SqlClient } from "effect/sql"'],
    ["below an unlisted family", 'import type { SqlError } from "effect/sql/SqlError"'],
    ["a test", 'import { fixture } from "../test/fixtures.ts"'],
    ["another package by path", 'import { Payments } from "../../core/src/Payments.ts"'],
    ["with export from", 'export { join } from "node:path"'],
    ["with export all", 'export * from "node:path"'],
    ["with export as", 'export type * as Path from "node:path"'],
    ["for its effect alone", 'import "node:path"'],
    ["at run time", 'const path = await import("node:path")'],
    ["as a type in place", 'let path: import("node:path").PlatformPath'],
    ["with require", 'const path = require("node:path")']
  ] as const) {
    it(`refuse to import ${what}`, () => {
      assert.lengthOf(forbiddenImports(pack(text), room), 1)
    })
  }

  it("see an undeclared and an unused dependency", () => {
    const manifest = { dependencies: { pg: "1.0.0" }, devDependencies: { "@types/pg": "1.0.0", fastify: "1.0.0" } }
    const faults = dependencyFaults(pack('import { Effect } from "effect/Effect"', manifest))
    assert.lengthOf(faults, 4)
    assert.deepStrictEqual(dependencyFaults(pack('import pg from "pg"', { dependencies: { pg: "1.0.0" } })), [])
  })

  it("see a cycle, also of types, and no cycle in a diamond", () => {
    const file = (name: string, ...next: ReadonlyArray<string>) =>
      made(next.map((each) => `import type { X } from "./${each}.ts"`).join("\n"), `packages/made/src/${name}.ts`)
    assert.deepStrictEqual(cycles([file("A", "B", "C"), file("B", "D"), file("C", "D"), file("D")]), [])
    assert.lengthOf(cycles([file("A", "B"), file("B", "C"), file("C", "A")]), 1)
    assert.lengthOf(cycles([file("A", "A")]), 1)
  })

  it("see an import from a floor to a higher one, also of types, to an entry, and a folder that is not a floor", () => {
    const file = (path: string, ...imports: ReadonlyArray<string>) =>
      sourceFile(`packages/a/src/${path}`, imports.map((each) => `import type { X } from "${each}"`).join("\n"))
    const files = [
      file("low/A.ts", "./B.ts", "./part/C.ts", "../high/D.ts", "@paymux/core"),
      file("low/part/C.ts", "../A.ts", "../../index.ts"),
      file("high/D.ts", "../low/A.ts", "../low/part/C.ts", "../other/E.ts"),
      file("other/E.ts"),
      file("index.ts", "./low/A.ts", "./high/D.ts")
    ]
    assert.deepStrictEqual(upwardImports(files, "packages/a/src", ["low", "high"]), [
      "packages/a/src/low/A.ts:3 low → high",
      "packages/a/src/low/part/C.ts:2 low → src",
      "packages/a/src/other/E.ts is in other, which is not a floor"
    ])
    assert.deepStrictEqual(upwardImports(files.slice(0, 2), "packages/a/src", ["low", "low/part", "high"]), [
      "packages/a/src/low/A.ts:2 low → low/part",
      "packages/a/src/low/A.ts:3 low → high",
      "packages/a/src/low/part/C.ts:2 low/part → src"
    ])
  })

  it("see an import from outside a folder, by path and by name", () => {
    const file = sourceFile(
      "packages/a/src/judge/One.ts",
      'import "./Two.ts"\nimport "./laws/money.ts"\nimport "../engine.ts"\nimport type { A } from "@paymux/core"'
    )
    assert.deepStrictEqual(importsFromOutside([file], "packages/a/src/judge"), [
      "packages/a/src/judge/One.ts:3 imports ../engine.ts",
      "packages/a/src/judge/One.ts:4 imports @paymux/core"
    ])
  })

  it("count the names that a module exports, those of other modules and types included", () => {
    const files: { readonly [path: string]: string } = {
      "src/index.ts":
        'export * from "./part/A.ts"\nexport type * from "./part/B.ts"\nexport * as A from "./part/A.ts"\n' +
        'export { x as y, type Z } from "./part/A.ts"\nexport const { c, d } = { c: 1, d: 2 }\nexport default 1',
      "src/part/A.ts": "export class One {}\nexport const Two = 2\nexport type Two = 2\nexport default 1\nconst no = 1",
      "src/part/B.ts": "export interface Three {}"
    }
    assert.deepStrictEqual(
      exportedNames("src/index.ts", (path) => files[path] ?? ""),
      ["One", "Two", "Three", "A", "y", "Z", "c", "d", "default"]
    )
  })

  it("see a name of two entries", () => {
    assert.deepStrictEqual(exportedTwice({ a: ["One", "Two"], b: ["Three", "Two"], c: ["Four"] }), [
      "Two is exported from a and b"
    ])
  })

  it("count lines", () => {
    assert.deepStrictEqual(tooLong([made("\n".repeat(400))], 400), [])
    assert.lengthOf(tooLong([made("\n".repeat(401))], 400), 1)
  })

  for (const [kind, text] of [
    ["any", "const x: any = 1"],
    ["any", "const x = y as Array<any>"],
    ["non-null", "const x = y!.z"],
    ["non-null", "let x!: number"],
    ["ts-comment", "// @ts-ignore\nconst x = 1"],
    ["ts-comment", "/* @ts-expect-error: no */\nconst x = 1"],
    ["clock", "const x = Date.now()"],
    ["clock", 'const x = globalThis.Date["now"]()'],
    ["clock", "const x = new Date()"],
    ["clock", "const now = performance.now"],
    ["random", "const x = Math.random()"],
    ["bare-generator", "const f = function* (): Effect.fn.Return<number> {}"],
    ["bare-generator", "export function* f(): Effect.fn.Return<number> {}"],
    ["bare-generator", "const f = function* () { yield* g }"],
    ["bare-generator", "class A { *f() { yield* g } }"],
    ["bare-generator", "const f = wrap(function* () { yield* g })"],
    ["bare-generator", "interface A { readonly f: () => Effect.fn.Return<number> }"],
    ["bare-generator", "const a = { f: function* (): Effect.fn.Return<number> {} }"],
    ["short-limit", 'it("waits", () => {}, 60_000)'],
    ["short-limit", 'describe.skipIf(isDark)("waits", { timeout: 60_000 }, () => {})']
  ] as const) {
    it(`see ${kind} in: ${text.replace("\n", " ")}`, () => {
      assert.lengthOf(found([made(text)], [kind]), 1)
    })
  }

  it("see none of these in comments, strings and what only looks like them", () => {
    const text = 'const any = "Date.now() as any" // y!.z, Math.random()\nconst at = new Date(0)\nconst ok = !y.z'
    const wrapped =
      'const f = Effect.fnUntraced(function* (): Effect.fn.Return<number> {})\nconst g = Effect.fn("g")(function* () {})\nconst h = function* (): Iterable<number> {}'
    const kinds = ["any", "non-null", "ts-comment", "clock", "random", "short-limit", "bare-generator"] as const
    assert.deepStrictEqual(found([made(text), made(wrapped)], kinds), [])
  })

  it("see a module of effect by name, by path and as a whole", () => {
    for (const text of [
      'import { Graph as G } from "effect"',
      'import type { Graph } from "effect"',
      'import * as Graph from "effect/Graph"',
      'import * as Everything from "effect"'
    ]) {
      assert.lengthOf(otherEffectModules([made(text)], ["Effect"]), 1, text)
    }
    assert.deepStrictEqual(otherEffectModules([made('import { Effect } from "effect"')], ["Effect"]), [])
  })
})
