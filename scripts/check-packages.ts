/**
 * Packs every published package and checks what a user would get: `publint --strict`, `attw --profile esm-only`,
 * `require` of the packed code on the oldest Node that `engines` promises, and the pages of the dashboard. Needs `build` first; downloads nothing.
 */
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, posix, resolve } from "node:path"
import { contentsText, pack, publishedPackages } from "./packages.ts"

const root = resolve(import.meta.dirname, "..")
const scratch = mkdtempSync(join(tmpdir(), "paymux-packages-"))
/** A project outside the workspace that has every packed package installed. */
const consumer = join(scratch, "node_modules")
const oldestNode = join(root, "node_modules/node-22/bin/node")
/** Vitest refuses to be loaded by `require`, and so does what imports it. */
const notRequired = new Set(["@paymux/testkit"])

const main = (): number => {
  // Each is installed before one is checked: they require each other.
  const packages = publishedPackages(root).map(({ folder, name }) => {
    const tarball = join(scratch, `${folder.replaceAll("/", "-")}.tgz`)
    const packed = pack(root, { folder, name }, tarball)
    const problems = typeof packed === "string" ? [packed] : install(folder, name, tarball)
    const line = typeof packed === "string" ? name : contentsText(name, packed)
    return { name, tarball, line, problems }
  })
  const checked = packages.map(({ line, name, problems: unpacked, tarball }) => {
    const problems =
      unpacked.length > 0
        ? unpacked
        : [
            ...run("publint", ["--strict", tarball]),
            ...run("attw", ["--profile", "esm-only", tarball]),
            ...(notRequired.has(name) ? [] : run(oldestNode, [requiring(name)], scratch))
          ]
    console.log(`${line}: ${problems.length === 0 ? "ok" : "FAILED"}`)
    return problems
  })
  const pages = run(oldestNode, [servingPages()], scratch)
  console.log(`pages of the dashboard: ${pages.length === 0 ? "ok" : "FAILED"}`)
  const payments = run(oldestNode, [takingPayments()], scratch)
  console.log(`payments on SQLite: ${payments.length === 0 ? "ok" : "FAILED"}`)
  const starting = [
    // The standalone command, and none of the packages that it is made of.
    ...run(oldestNode, [startingServer(/^(?!.*\/paymux\/dist\/(?:standalone\/|bin\.js$|chunk-))/)], scratch),
    // The packages alone: there must not be two copies of one.
    ...run(oldestNode, [startingServer(/\/dist\/standalone\//, "--config", configuration())], scratch)
  ]
  console.log(`start of a server: ${starting.length === 0 ? "ok" : "FAILED"}`)
  const problems = [...checked.flat(), ...pages, ...payments, ...starting]
  for (const problem of problems) console.log(`\n${problem}`)
  return problems.length
}

/** Requires every entry. A file and not `--eval`: what is required may ask which file required it. */
const requiring = (name: string): string => {
  const file = join(scratch, "require.cjs")
  const manifest = JSON.parse(readFileSync(join(consumer, name, "package.json"), "utf8"))
  const entries = Object.entries<{ readonly default?: string } | null>(manifest.exports)
    .filter(([, target]) => target?.default?.endsWith(".js"))
    .map(([entry]) => posix.join(name, entry))
  writeFileSync(file, entries.map((entry) => `require(${JSON.stringify(entry)})\n`).join(""))
  return file
}

/** Serves the dashboard outside the workspace: its page, and all that the package has of it, without source maps. */
const servingPages = (): string => {
  const file = join(scratch, "pages.mjs")
  writeFileSync(
    file,
    `import { createPaymux } from "paymux"
import { readdirSync } from "node:fs"

const paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
const ask = async (path) => {
  const answer = await paymux.fetch(new Request("http://localhost:4310/dashboard/" + path))
  if (answer.status !== 200) throw new Error(path + ": " + answer.status + " " + (await answer.text()))
  return answer.text()
}
const page = await ask("default/test/payments")
const [script] = /assets\\/[^"]+\\.js/.exec(page) ?? []
if (script === undefined) throw new Error("The page loads no script: " + page)
for (const name of readdirSync("node_modules/@paymux/dashboard/dist/app/assets")) {
  if (name.endsWith(".map")) throw new Error(name + " is packed.")
  await ask("assets/" + name)
}
await ask(script)
await paymux.close()
`
  )
  return file
}

/**
 * Takes a payment by card, refunds it, and finds it again: the oldest Node that is supported has an older `node:sqlite`. Then
 * many at once, which a thread must write that is packed as well.
 */
const takingPayments = (): string => {
  const file = join(scratch, "payments.mjs")
  writeFileSync(
    file,
    `import { createPaymux } from "paymux"
import { deepStrictEqual } from "node:assert/strict"
import { subscribe } from "node:diagnostics_channel"

let batches = 0
subscribe("worker_threads", ({ worker }) => {
  worker.on("message", ({ _tag }) => {
    if (_tag === "Written") batches++
  })
})
const options = { sandbox: true, database: "sqlite:payments.db", logs: false }
const customer = { email: "asha@example.com", phone: "+4915112345678" }
const method = { payment_method: "card", payment_method_details: { card: { token: "tok_success" } } }
const card = { amount: 1200, currency: "EUR", ...method, customer }
let paymux = await createPaymux(options)
const paid = await paymux.payments.create(card, { idempotencyKey: "order-1" })
deepStrictEqual(paid.status, "succeeded")
await paymux.refunds.create(paid.id, { amount: 200 }, { idempotencyKey: "refund-1" })
await paymux.close()
paymux = await createPaymux(options)
const again = await paymux.payments.create(card, { idempotencyKey: "order-1" })
deepStrictEqual([again.id, again.status], [paid.id, "succeeded"])
deepStrictEqual((await paymux.payments.list({ status: "succeeded" })).data.map(({ id }) => id), [paid.id])
for (let round = 0; round < 50 && batches === 0; round++) {
  const many = await Promise.all(Array.from({ length: 64 }, () => paymux.payments.create(card)))
  deepStrictEqual(new Set(many.map(({ status }) => status)), new Set(["succeeded"]))
}
if (batches === 0) throw new Error("No thread has written anything.")
await paymux.close()
`
  )
  return file
}

/**
 * Starts a server, which must load no file whose address matches `unneeded` until it is ready. Then it takes many payments
 * at once, until a thread has written some.
 */
const startingServer = (unneeded: RegExp, ...flags: ReadonlyArray<string>): string => {
  const file = join(scratch, "start.mjs")
  writeFileSync(
    file,
    `import { subscribe } from "node:diagnostics_channel"
import { registerHooks } from "node:module"

const loaded = []
let batches = 0
subscribe("worker_threads", ({ worker }) => worker.on("message", ({ _tag }) => void (_tag === "Written" && batches++)))
const requireNeeded = () => {
  const undici = process.moduleLoadList.filter((name) => name.endsWith("/undici"))
  const files = [...loaded.filter((url) => /\\/node_modules\\/.+\\.[cm]?js$/.test(url)), ...undici]
  const unneeded = files.filter((url) => ${String(unneeded)}.test(url))
  if (files.length === 0 || unneeded.length > 0) throw new Error("Of " + files.length + " files not needed: " + unneeded.join(", "))
}
const payment = {
  amount: 10000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
}
const takePayments = async (url, key) => {
  const headers = { authorization: "Bearer " + key, "content-type": "application/json" }
  const pay = async () => (await fetch(url + "/payments", { method: "POST", headers, body: JSON.stringify(payment) })).text()
  for (let round = 0; round < 50 && batches === 0; round++) await Promise.all(Array.from({ length: 64 }, pay))
  if (batches === 0) throw new Error("No thread has written anything.")
}
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
process.argv.push("serve", "--sandbox", "--port", "0", "--database", "sqlite:start-${flags.length}.db", ...${JSON.stringify(flags)})
const write = process.stdout.write.bind(process.stdout)
let printed = ""
process.stdout.write = (text, ...rest) => {
  const wasReady = printed.includes("Paymux listening")
  printed += text
  if (!wasReady && printed.includes("Paymux listening")) requireNeeded()
  const key = /pmx_test_\\w+/.exec(String(text))?.[0]
  if (key !== undefined) takePayments(/listening on (\\S+)/.exec(printed)[1], key).then(() => process.exit(0))
  return write(text, ...rest)
}
await import("./node_modules/paymux/dist/bin.js")
`
  )
  return file
}

/** A configuration for `startingServer`: what it imports is what the command runs with. */
const configuration = (): string => {
  const file = join(scratch, "options.mjs")
  writeFileSync(file, `import "paymux"\nexport default {}\n`)
  return file
}

/** Unpacks the tarball where `require(name)` finds it, with the workspace's third-party dependencies beside it. */
const install = (folder: string, name: string, tarball: string): ReadonlyArray<string> => {
  mkdirSync(join(consumer, name), { recursive: true })
  for (const dependency of thirdParty(join(root, folder, "node_modules"))) {
    const link = join(consumer, dependency)
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(join(root, folder, "node_modules", dependency), link)
  }
  return run("tar", ["-xzf", tarball, "-C", join(consumer, name), "--strip-components=1"])
}

const thirdParty = (modules: string): ReadonlyArray<string> =>
  readdirSync(modules)
    // Our own are unpacked there: through a link they would be unpacked into the workspace.
    .filter((entry) => !entry.startsWith(".") && entry !== "@paymux" && entry !== "paymux")
    .flatMap((entry) =>
      entry.startsWith("@") ? readdirSync(join(modules, entry)).map((name) => `${entry}/${name}`) : [entry]
    )

/** Runs a command; its output is the problem, if it fails. */
const run = (command: string, args: ReadonlyArray<string>, cwd = root): ReadonlyArray<string> => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8" })
  return status === 0 ? [] : [`${command} ${args.join(" ")} failed\n${error?.message ?? `${stdout}${stderr}`}`]
}

try {
  process.exitCode = main() === 0 ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true })
}
