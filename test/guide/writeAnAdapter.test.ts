/**
 * `docs/guide/write-an-adapter.md` is followed, block by block, from `paymux adapter new` to `npm pack`.
 *
 * - `diff` with a file's name is an edit of the made package; hunks are divided by `@@`. With a word behind the name it
 *   holds for the next `console` only, as a mistake that is planted and taken out again.
 * - `ts` with a file's name is that file, new. `ts` whose first line is `// <file>` is an excerpt: it stands in the file
 *   as it is by then, apart from its imports. (Code without a name of a file is compiled by the checks.)
 * - `console` is commands with what they print, tried on the package as it is by then. `…` stands for what differs, and
 *   alone on a line for any number of lines. The whole suite (`npm test`, with `-u` or not) is run once, with all edits.
 *   (That the untouched package passes is tried where it is made.)
 */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, resolve } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { freePort } from "../support/freePort.ts"

const root = resolve(import.meta.dirname, "../..")
const bin = join(root, "packages/paymux/src/bin.ts")
const guide = readFileSync(join(root, "docs/guide/write-an-adapter.md"), "utf8")

interface Block {
  /** Of the fence on the page. */
  readonly line: number
  readonly language: string
  /** Of a file in the package; empty: none. */
  readonly file: string
  readonly once: boolean
  readonly text: string
}

const blocksOf = (page: string): ReadonlyArray<Block> =>
  [...page.matchAll(/^```(\w+)(?: (\S+))?( \S+)?\n([^]*?)^```$/gm)].map(
    ([, language = "", file = "", remark, text = ""], index, all) => ({
      line: page.slice(0, all[index]?.index).split("\n").length,
      language,
      file,
      once: remark !== undefined,
      text
    })
  )

/** The folder of each run is below it. Not below `node_modules`: there Node runs no TypeScript. */
let folder: string
let made: Made
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-guide-"))
  made = await make(blocksOf(guide))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the guide to writing an adapter", () => {
  it("shows commands, edits and messages that are so, from the first to the last", { timeout: 600_000 }, async () => {
    const blocks = blocksOf(guide)
    for (const [language, least] of [
      ["console", 7],
      ["diff", 10],
      ["ts", 6]
    ] as const) {
      assert.isAtLeast(blocks.filter((block) => block.language === language).length, least, language)
    }
    assert.deepStrictEqual(await follow(blocks), [])
  })

  it("names no npm script that the package does not have", () => {
    const named = [...guide.matchAll(/npm (?:run (\w+)|(test))/g)].map(([, script, test]) => script ?? test ?? "")
    assert.isAtLeast(named.length, 5)
    assert.includeMembers(Object.keys(scripts()), named)
  })

  it("would be refused with an edit that does not fit, or a line that is not printed", () => {
    const text = "a\n  b\nc\nc\n"
    assert.strictEqual(edited(text, "   b\n-c\n+d\n c\n"), "a\n  b\nd\nc\n")
    assert.strictEqual(edited(text, "-a\n+A\n@@\n-  b\n"), "A\nc\nc\n")
    assert.isNull(edited(text, "-c\n+d\n"), "twice")
    assert.isNull(edited(text, "-b\n+d\n"), "in other words")
    const printed = "one\n  two 7 ms\nthree\nfour\n"
    assert.isNull(missing("one\n  two … ms\n…\nfour\n", printed))
    assert.strictEqual(missing("one\nthree\n", printed), "one\nthree")
    assert.strictEqual(missing("…\nfour\n…\none\n", printed), "one")
    assert.strictEqual(missing("two 7\n", printed), "two 7")
  })
})

/** What is wrong with a page. What it runs, it runs at the same time. */
const follow = async (blocks: ReadonlyArray<Block>): Promise<ReadonlyArray<string>> => {
  const suite = Promise.withResolvers<Ran>()
  const ran = async (command: string, cwd: string): Promise<Ran> => {
    if (command === made.command) return made.ran
    return wholeSuite.includes(command) ? suite.promise : runIn(cwd, command)
  }
  const faults: Array<Promise<string | null>> = []
  const files = new Map<string, string>()
  let planted = new Map<string, string>()
  const text = (file: string): string => planted.get(file) ?? files.get(file) ?? textOf(join(made.pack, file)) ?? ""
  for (const block of blocks) {
    const fault = (why: string) => faults.push(Promise.resolve(`line ${block.line}: ${why}`))
    switch (block.language) {
      case "diff": {
        const now = edited(text(block.file), block.text)
        if (now === null) fault(`does not fit ${block.file}`)
        else (block.once ? planted : files).set(block.file, now)
        break
      }
      case "ts": {
        const [, file = "", excerpt = ""] =
          /^\/\/ (\S+)\n(?:import [^]*? from ".*"\n)*\n*([^]*)$/.exec(block.text) ?? []
        if (block.file !== "") files.set(block.file, block.text)
        else if (file !== "" && !text(file).includes(excerpt)) fault(`does not stand in ${file}`)
        break
      }
      case "console":
        faults.push(faultOf(block, place(new Map([...files, ...planted])), ran))
        planted = new Map()
        break
    }
  }
  suite.resolve(await runIn(place(files), "npm test -- -u"))
  return (await Promise.all(faults)).filter((fault) => fault !== null)
}

const wholeSuite = ["npm test", "npm test -- -u"]

interface Ran {
  readonly code: number | null
  readonly printed: string
}

/** The package of the page's first command, as it is made. */
interface Made {
  readonly command: string
  readonly ran: Ran
  readonly pack: string
}

const make = async (blocks: ReadonlyArray<Block>): Promise<Made> => {
  const [, command = "", name = ""] =
    /^\$ (npx paymux adapter new (\S+))$/m.exec(blocks.find(isConsole)?.text ?? "") ?? []
  assert.notStrictEqual(name, "", "the first command makes no adapter")
  const ran = await output(`node "${bin}" ${command.split(" ").slice(2).join(" ")}`, folder)
  return { command, ran, pack: join(folder, `paymux-${name}`) }
}

const isConsole = ({ language }: Block): boolean => language === "console"

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

/** `null`: the lines that are there before the edit are not, or are more than once. */
const edited = (text: string, diff: string): string | null =>
  diff.split("@@\n").reduce<string | null>((before, hunk) => {
    const lines = hunk.split("\n").slice(0, -1)
    const side = (mark: string) =>
      lines.flatMap((line) => (line.startsWith(mark) || line.startsWith(" ") ? [`\n${line.slice(1)}`] : [])).join("")
    const whole = `\n${before ?? ""}`
    const [old, at] = [`${side("-")}\n`, whole.indexOf(`${side("-")}\n`)]
    if (before === null || at === -1 || whole.includes(old, at + 1)) return null
    return `${whole.slice(0, at)}${side("+")}\n${whole.slice(at + old.length)}`.slice(1)
  }, text)

/** What is wrong with a console block; `null`: nothing. Only a block that shows a failed check may exit with an error. */
const faultOf = async (
  { line, text }: Block,
  cwd: string,
  ran: (command: string, cwd: string) => Promise<Ran>
): Promise<string | null> => {
  for (const [, command = "", shown = ""] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
    const { code, printed } = await ran(command, cwd)
    const lost = missing(shown, printed)
    if (lost !== null) return `line ${line}: \`${command}\` does not print\n${lost}\nbut\n${printed}`
    if ((code === 0) === failedCheck.test(shown)) return `line ${line}: \`${command}\` ends with ${code}:\n${printed}`
  }
  return null
}

const failedCheck = /^Error: The check ".*" failed\.$/m

/** A copy of the package with these files, beside what is installed here. */
const place = (files: ReadonlyMap<string, string>): string => {
  const own = mkdtempSync(join(folder, "run-"))
  cpSync(made.pack, own, { recursive: true })
  symlinkSync(join(root, "node_modules"), join(own, "node_modules"), "junction")
  for (const [path, text] of files) writeFileSync(join(own, path), text)
  return own
}

const runIn = async (cwd: string, command: string): Promise<Ran> => {
  const [, script, args = ""] = /^npm (?:run )?(\w+)(?: -- (.*))?$/.exec(command) ?? []
  // As npm does it, without the second that it takes for that.
  if (script !== undefined && script in scripts()) return output(`${scripts()[script]} ${args}`, cwd)
  if (command.startsWith("npm ")) return output(command, cwd)
  if (command.startsWith("npx paymux serve ")) return served(command.split(" ").slice(2), cwd)
  return { code: null, printed: "(this test cannot run it)" }
}

const scripts = (): { readonly [name: string]: string } =>
  JSON.parse(readFileSync(join(made.pack, "package.json"), "utf8")).scripts

/** All that a command prints, until it ends. As at a terminal, not as in CI. */
const output = async (command: string, cwd: string): Promise<Ran> => {
  const child = spawn(command, { cwd, env: terminal, shell: true })
  let printed = ""
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  const [code] = await once(child, "close")
  return { printed, code: typeof code === "number" ? code : null }
}

const inherited = ["HOME", "TMPDIR", "TEMP", "TMP", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "SystemRoot", "ComSpec"]
const terminal: NodeJS.ProcessEnv = {
  ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
  PATH: [join(root, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
  NO_COLOR: "1"
}

/** The server of the page, on a port of its own, until the payment of the page is paid and reported. */
const served = async (args: ReadonlyArray<string>, cwd: string): Promise<Ran> => {
  const port = String(await freePort())
  const config = join(cwd, "paymux.config.ts")
  writeFileSync(config, readFileSync(config, "utf8").replaceAll("4310", port))
  const child = spawn(process.execPath, [bin, ...args, "--port", port], { cwd, env: terminal })
  let printed = ""
  const streams = [child.stdout, child.stderr]
  for (const stream of streams) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  const ended = once(child, "close").then(() => null)
  const until = async (sign: RegExp): Promise<string> => {
    for (;;) {
      const found = sign.exec(printed)
      if (found !== null) return found[1] ?? found[0]
      const next = streams.map((stream) => once(stream, "data"))
      if ((await Promise.race([...next, ended])) === null) return assert.fail(`the server ended:\n${printed}`)
    }
  }
  try {
    const key = await until(/^Test API key (\S+)$/m)
    const paid = (path: string, body?: string) => request(`http://127.0.0.1:${port}${path}`, key, body)
    const { id, next_action, status } = await paid("/v1/payments", /-d '(\{.*\})'/.exec(guide)?.[1] ?? "")
    assert.deepStrictEqual([status, next_action?.type], ["pending", "redirect"])
    await until(/^Lotus sent captured: 200$/m)
    assert.strictEqual((await paid(`/v1/payments/${id}`)).status, "succeeded")
  } finally {
    child.kill("SIGKILL")
    await ended
  }
  return { code: 0, printed: printed.replaceAll(port, "4310") }
}

const request = async (url: string, key: string, body?: string) => {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body })
  })
  // Boundary: the public JSON of a payment.
  return (await response.json()) as { id: string; status: string; next_action: { type: string } | null }
}

/** The first lines of `shown` that are not printed, one after the other and after those before them; `null`: all are. */
const missing = (shown: string, printed: string): string | null => {
  let rest = plain(printed)
  for (const part of plain(shown).split(/^…$/m)) {
    const lines = part.trim()
    if (lines === "") continue
    const at = new RegExp(`^${lines.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".*")}$`, "m").exec(rest)
    if (at === null) return lines
    rest = rest.slice(at.index + at[0].length)
  }
  return null
}

const plain = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
