/** Replays one group of the corpus on one checkout and one database, from outside, and writes down all that it shows. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Observed, Recording } from "../compare/Recording.ts"
import type { CommandEntry, Entry, Group, RequestEntry, VendorEntry, WaitEntry } from "../corpus/Entry.ts"
import { configuration } from "./configuration.ts"
import { exchange, fieldsOf } from "./exchange.ts"
import type { Answer } from "./exchange.ts"
import { observedCommand, programOf } from "./Program.ts"
import type { Program, Serving } from "./Program.ts"
import { startReceiver } from "./Receiver.ts"
import type { Receiver } from "./Receiver.ts"
import { rowsOf } from "./rows.ts"
import { withoutMeasures } from "./measures.ts"
import { routeOf, Saved } from "./Saved.ts"
import { settled } from "./settled.ts"
import { startVendor } from "./vendors.ts"
import type { RunningVendor } from "./vendors.ts"

export interface Side {
  /** The folder of the checkout. */
  readonly checkout: string
  /** The address of a new database, which may be a file in this folder. */
  readonly database: (folder: string) => Promise<string>
  /** Called after each entry. */
  readonly onEntry: () => void
}

interface Session {
  readonly program: Program
  readonly serving: Serving
  readonly receiver: Receiver
  readonly vendors: ReadonlyMap<string, RunningVendor>
  readonly saved: Saved
  readonly cookies: Map<string, string>
  readonly observed: Array<Observed>
}

export const recordGroup = async (group: Group, side: Side): Promise<Recording> => {
  const startedAt = Date.now()
  const folder = mkdtempSync(join(tmpdir(), "paymux-replay-"))
  const saved = new Saved()
  const receiver = await startReceiver(() => saved.secrets())
  const names = group.vendors ?? []
  const vendors = new Map(await Promise.all(names.map(async (name) => [name, await startVendor(name)] as const)))
  const observed: Array<Observed> = []
  try {
    const database = await side.database(folder)
    const vendorOptions = new Map([...vendors].map(([name, { options }]) => [name, options]))
    writeFileSync(join(folder, "paymux.config.ts"), configuration(group, side.checkout, database, vendorOptions))
    for (const [name, text] of Object.entries(group.files ?? {})) writeFileSync(join(folder, name), text)
    const program = programOf(side.checkout, folder)
    observed.push(observedCommand("migrate", "paymux migrate", await program.run(["migrate"])))
    const serving = await program.serve(
      group.options?.["dashboard"] === false ? /^Test API key .*\n/m : /^Dashboard: .*\n/m
    )
    saved.set({ server: serving.server, key: serving.key, link: serving.link, shop: receiver.url })
    const ended = await replay(
      group,
      { program, serving, receiver, vendors, saved, cookies: new Map(), observed },
      side,
      () => settled(serving.server, database)
    )
    observed.push(observedCommand("serve", "paymux serve", { ...ended, stderr: "" }), ...logLines(ended.stderr))
    observed.push(...receiver.received(), ...(await rowsOf(database)))
    const fixed = [
      [new URL(serving.server).host, "<server>"],
      [new URL(receiver.url).host, "<receiver>"],
      ...namesOf(database),
      [folder, "<folder>"],
      [side.checkout, "<checkout>"],
      ...[...vendorOptions].map(([name, { baseUrl }]) => [new URL(String(baseUrl)).host, `<${name}>`] as const)
    ] as const
    return { startedAt, observed: observed.map((each) => named(each, fixed)) }
  } finally {
    receiver.close()
    await Promise.all([...vendors.values()].map(({ close }) => close()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const replay = async (group: Group, session: Session, side: Side, untilSettled: () => Promise<void>) => {
  const background: Array<Promise<void>> = []
  try {
    for (const entry of group.entries) {
      const played = play(entry, session)
      if ("send" in entry && entry.inBackground === true) background.push(played)
      else await played
      side.onEntry()
    }
    await Promise.all(background)
    await untilSettled()
  } catch (cause) {
    await session.serving.stop()
    throw cause
  }
  return session.serving.stop()
}

const play = (entry: Entry, session: Session): Promise<void> => {
  if ("send" in entry) return request(entry, session)
  if ("run" in entry) return command(entry, session)
  return "wait" in entry ? wait(entry, session) : vendor(entry, session)
}

const request = async (entry: RequestEntry, { cookies, observed, saved, serving }: Session): Promise<void> => {
  const [method = "GET", path = "/"] = saved.filled(entry.send).split(" ")
  const answer = await exchange({
    method,
    url: `${new URL(serving.server).origin}${path}`,
    headers: headersOf(entry, saved, cookies, serving.server),
    body: saved.filled(entry.text ?? (entry.json === undefined ? "" : JSON.stringify(entry.json))) || null
  })
  keepCookies(answer, cookies)
  observed.push({ kind: "request", name: entry.name, route: routeOf(entry.send), fields: fieldsOf(answer) })
  saved.save(answer.body.toString("utf8"), entry.save)
}

const headersOf = (entry: RequestEntry, saved: Saved, cookies: ReadonlyMap<string, string>, server: string) => {
  const { as = "key", headers = {}, json, key, text } = entry
  const all = {
    ...(as === "key" && { authorization: saved.filled("Bearer {key}") }),
    ...(as === "person" && {
      origin: new URL(server).origin,
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    }),
    ...((json !== undefined || text !== undefined) && { "content-type": "application/json" }),
    ...(key !== undefined && { "idempotency-key": key }),
    ...headers
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === "" ? [] : [[name, saved.filled(value)]]))
  )
}

const keepCookies = ({ headers }: Answer, cookies: Map<string, string>): void => {
  for (const [index, name] of headers.entries()) {
    const cookie = /^([^=]+)=([^;]*)/.exec(headers[index + 1] ?? "")
    if (index % 2 === 0 && name.toLowerCase() === "set-cookie" && cookie !== null)
      cookies.set(cookie[1] ?? "", cookie[2] ?? "")
  }
}

const command = async (entry: CommandEntry, { observed, program, saved }: Session): Promise<void> => {
  const ended = await program.run(entry.run.map((argument) => saved.filled(argument)))
  const words = entry.run.filter((word, index) => index < 2 && /^[a-z]/.test(word))
  observed.push(observedCommand(entry.name, `paymux ${words.join(" ")}`, ended))
  saved.save(ended.stdout, entry.save)
}

const wait = async ({ at = "shop", of, times = 1, wait: type }: WaitEntry, session: Session): Promise<void> => {
  const came = await session.receiver.wait(at, type, session.saved.filled(of), times)
  const name = `${type} of ${of} at ${at}`
  session.observed.push({ kind: "request", name, route: `wait ${name}`, fields: { came: String(came) } })
}

const vendor = async (entry: VendorEntry, { observed, serving, vendors }: Session): Promise<void> => {
  const posted = (await vendors.get(entry.vendor)?.act(entry)) ?? []
  for (const [index, { body, headers }] of posted.entries()) {
    const url = `${serving.server}/webhooks/${entry.vendor}`
    const answer = await exchange({ method: "POST", url, headers, body })
    const name = `${entry.name} ${index + 1}`
    observed.push({ kind: "request", name, route: `POST /webhooks/${entry.vendor}`, fields: fieldsOf(answer) })
  }
  observed.push({
    kind: "request",
    name: entry.name,
    route: `${entry.vendor} posts`,
    fields: { count: String(posted.length) }
  })
}

/** Logs are JSON; frames of a stack are places in the source. */
const logLines = (text: string): ReadonlyArray<Observed> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({
      kind: "log",
      name: "",
      route: "log",
      fields: { line: line.replaceAll(/\\n\s+at [^"]*?(?=\\n|")/g, "") }
    }))

/** The address of a PostgreSQL database is shown without its password, and with it. */
const namesOf = (database: string): ReadonlyArray<readonly [found: string, name: string]> => {
  if (database.startsWith("sqlite:")) return [[database.slice("sqlite:".length), "<database>"]]
  const { host, pathname } = new URL(database)
  return [
    [host, "<postgres>"],
    [pathname.slice(1), "<database>"]
  ]
}

/** What a recording is named by, in the place of this run's addresses and folders. */
const named = (each: Observed, fixed: ReadonlyArray<readonly [found: string, name: string]>): Observed => ({
  ...each,
  fields: Object.fromEntries(
    Object.entries(each.fields).map(([field, text]) => [
      field,
      withoutMeasures(
        each.route,
        field,
        fixed.reduce((changed, [found, name]) => changed.replaceAll(found, name), text)
      )
    ])
  )
})
