/** The people of the dashboard through the library and the commands. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { clientId, clientSecret, identityProvider } from "../../dashboard/test/people/IdentityProvider.ts"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { settingsOf } from "../src/options/PaymuxOptions.ts"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"

let folder = ""
let commands: Commands
let paymux: Paymux

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-people-"))
  commands = startCommands()
  paymux = await createPaymux({ sandbox: true, database: `sqlite:${join(folder, "paymux.db")}`, logs: false })
})

afterAll(async () => {
  await paymux.close()
  commands.stop()
  rmSync(folder, { recursive: true, force: true })
})

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => String(error)
  )

/** By another process: to close a file of an open database here would end the locks that this process has on it. */
const bytesOf = (file: string) => execFileSync("cat", [file])

const problemsOf = (options: object): ReadonlyArray<string> => {
  const result = settingsOf({ sandbox: true, ...options })
  return result._tag === "Failure" ? result.failure.problems : []
}

describe("people of the dashboard", () => {
  it("whose invitations are open are listed, invited again and revoked by the library and by commands", async () => {
    const tokenOf = (link: string) => link.split("#")[1] ?? ""
    const { link } = await paymux.dashboard.invite({ email: "open@example.com", role: "viewer", account: "kiosk" })
    const open = () => paymux.dashboard.invitations({ account: "kiosk", mode: "live" })
    const [{ id } = { id: "" }] = await open()
    const listed = await commands.run(folder, "dashboard", "invitations")
    for (const text of ["open@example.com", "viewer of account kiosk (test, live)", id]) {
      assert.include(listed.stdout, text)
    }
    assert.notInclude(listed.stdout, tokenOf(link))
    const renewed = await commands.run(folder, "dashboard", "renew", id, "--public-url", "https://pay.example")
    assert.match(renewed.stdout, /^https:\/\/pay\.example\/dashboard\/join#[\w-]{43}$/m)
    assert.include((await commands.run(folder, "dashboard", "revoke", id)).stderr, "Invitation not found")
    const [{ id: second } = { id: "" }] = await open()
    assert.match((await paymux.dashboard.renewInvitation(second)).link, /\/dashboard\/join#/)
    const [{ id: third } = { id: "" }] = await open()
    assert.include((await commands.run(folder, "dashboard", "revoke", third)).stderr, "no longer works")
    assert.deepStrictEqual(await open(), [])
    for (const call of [
      paymux.dashboard.invitations({ mode: "prod" as never }),
      paymux.dashboard.invitations({ limit: 1 } as never),
      paymux.dashboard.revokeInvitation(third, { actor: {} as never })
    ]) {
      assert.match(await outcomeOf(call), /not valid|object/)
    }
    for (const unknown of [third, "", 1 as never, null as never]) {
      assert.include(await outcomeOf(paymux.dashboard.revokeInvitation(unknown)), "Invitation not found")
      assert.include(await outcomeOf(paymux.dashboard.renewInvitation(unknown)), "Invitation not found")
    }
  })

  it("are invited by the library and by a command, whose link is shown once and kept nowhere", async () => {
    const { expiresAt, link } = await paymux.dashboard.invite({
      email: "asha@example.com",
      role: "owner",
      actor: { id: "usr_1" }
    })
    assert.match(link, /^http:\/\/localhost:4310\/dashboard\/join#[\w-]{43}$/)
    assert.isAbove(expiresAt, Date.now() + 71 * 3_600_000)
    const invited = await commands.run(
      folder,
      ..."dashboard invite ben@example.com --role viewer --account shop --modes test --public-url https://pay.example/".split(
        " "
      )
    )
    assert.match(invited.stdout, /^https:\/\/pay\.example\/dashboard\/join#[\w-]{43}$/m)
    assert.include(invited.stderr, "viewer of account shop (test)")
    for (const token of [link, invited.stdout.trim()].map((each) => each.split("#")[1] ?? "")) {
      for (const name of readdirSync(folder)) assert.isFalse(bytesOf(join(folder, name)).includes(token), name)
    }
    const { entries } = await paymux.forAccount("shop").auditLog.list()
    assert.deepStrictEqual(
      entries.map(({ action, actor, target }) => [action, actor.kind, target]),
      [["user.invite", "command", "ben@example.com"]]
    )
    assert.strictEqual((await paymux.auditLog.list({ actorId: "usr_1" })).entries.length, 1)
  })

  it("who are not there are reported, and bad input is refused", async () => {
    assert.deepStrictEqual((await paymux.dashboard.users()).users, [])
    assert.include((await commands.run(folder, "dashboard", "users")).stderr, "Invite the first one")
    for (const command of [
      ["role", "missing@example.com", "--role", "viewer"],
      ["remove", "missing@example.com"],
      ["reset", "usr_none"]
    ]) {
      const ran = await commands.run(folder, "dashboard", ...command)
      assert.include(ran.stderr, "User not found")
      assert.notStrictEqual(ran.code, 0)
    }
    const bad = await commands.run(folder, "dashboard", "invite", "not an address", "--role", "owner")
    assert.include(bad.stderr, "email must be an email address")
    assert.notStrictEqual((await commands.run(folder, "dashboard", "invite", "a@b.io", "--role", "root")).code, 0)
    for (const invitation of [
      { email: "a@b.io" },
      { role: "owner" },
      { email: 1, role: "owner" },
      { email: "a@b.io", role: "owner", account: "a b" },
      { email: "a@b.io", role: "owner", modes: "live" }
    ]) {
      assert.match(await outcomeOf(paymux.dashboard.invite(invitation as never)), /must be|must have/)
    }
    for (const call of [
      paymux.dashboard.invite({ email: "a@b.io", role: "owner", account_name: "x" } as never),
      paymux.dashboard.users({ limit: 0 }),
      paymux.dashboard.users({ mode: "prod" as never }),
      paymux.dashboard.reset("a", { totp: "yes" as never }),
      paymux.dashboard.invite({ email: "a@b.io", role: "owner", actor: {} as never }),
      paymux.dashboard.invite(null as never)
    ]) {
      assert.match(await outcomeOf(call), /not valid|object/)
    }
    assert.include(await outcomeOf(paymux.dashboard.remove("missing")), "User not found")
  })

  it("include an owner who can sign in: commands count one of the identity provider that the configuration names", async () => {
    await using provider = await identityProvider()
    const place = mkdtempSync(join(tmpdir(), "paymux-owners-"))
    const { issuer } = provider
    const roles = () => ({ account: null, modes: ["test", "live"], role: "owner" }) as const
    const publicUrl = "https://pay.example"
    {
      await using sso = await createPaymux({
        sandbox: true,
        database: `sqlite:${join(place, "paymux.db")}`,
        logs: false,
        publicUrl,
        dashboard: { oidc: { issuer, clientId, clientSecret, roles } }
      })
      const ask = (path: string, headers: { readonly [name: string]: string }, body?: object) =>
        sso.fetch(
          new Request(`${publicUrl}${path}`, {
            redirect: "manual",
            headers: { host: "pay.example", origin: publicUrl, "content-type": "application/json", ...headers },
            ...(body !== undefined && { method: "POST", body: JSON.stringify(body) })
          })
        )
      const { link } = await sso.dashboard.invite({ email: "asha@example.com", role: "owner" })
      const acceptance = { token: link.split("#")[1], password: "correct horse battery" }
      assert.strictEqual((await ask("/dashboard/api/sign-in/invitation", {}, acceptance)).status, 200)
      const left = await ask("/dashboard/api/sign-in/oidc", {})
      const back = provider.authorize(new URL(left.headers.get("location") ?? ""))
      const [cookie = ""] = left.headers.getSetCookie()
      await ask(`${back.pathname}${back.search}`, { cookie: cookie.split(";")[0] ?? "" })
      assert.strictEqual((await sso.dashboard.users()).users.length, 2)
    }
    const oidc = { issuer, clientId, clientSecret }
    const database = ["--database", `sqlite:${join(place, "paymux.db")}`]
    const folderWith = (name: string, module: string) => {
      const configured = join(place, name)
      mkdirSync(configured)
      writeFileSync(join(configured, "paymux.config.mjs"), module)
      return configured
    }
    const removed = ({ name, dashboard }: { readonly name: string; readonly dashboard: object }) => {
      const configured = folderWith(name, `export default ${JSON.stringify({ dashboard })}`)
      return commands.run(configured, "dashboard", "remove", "asha@example.com", ...database)
    }
    for (const configured of [
      { name: "none", dashboard: {} },
      { name: "other", dashboard: { oidc: { ...oidc, issuer: "https://other.example" } } }
    ]) {
      assert.include((await removed(configured)).stderr, "This is the last owner who can sign in.")
    }
    // Only changes that must leave an owner need the configuration, and with --database they go on without it.
    const broken = folderWith("broken", 'throw new Error("PAYMUX_SECRET is not set")')
    const run = (...args: ReadonlyArray<string>) => commands.run(broken, "dashboard", ...args, ...database)
    assert.deepInclude(await run("users"), { code: 0, stderr: "" })
    const invited = await run("invite", "ben@example.com", "--role", "viewer", "--public-url", publicUrl)
    assert.match(invited.stdout, /^https:\/\/pay\.example\/dashboard\/join#/)
    const [id = ""] = /inv_\w+/.exec((await run("invitations")).stdout) ?? []
    assert.deepInclude(await run("revoke", id), { code: 0, stderr: `Revoked ${id}. Its link no longer works.\n` })
    const demoted = await run("role", "asha@example.com", "--role", "viewer")
    for (const text of ["PAYMUX_SECRET is not set", "Continuing without", "is now viewer of every account"]) {
      assert.include(demoted.stderr, text)
    }
    assert.include((await run("role", "asha@example.com", "--role", "owner")).stderr, "is now owner of every account")
    assert.include((await commands.run(broken, "dashboard", "users")).stderr, "PAYMUX_SECRET is not set")
    assert.include((await removed({ name: "same", dashboard: { oidc } })).stderr, "Removed asha@example.com")
    rmSync(place, { recursive: true, force: true })
  })

  it("come in for the first time by one link: of the sandbox on this machine, otherwise of the first owner", async () => {
    assert.match((await paymux.dashboard.firstLink())?.link ?? "", /\/dashboard\/open#/)
    const on = (options: object) => createPaymux({ sandbox: true, database: ":memory:", logs: false, ...options })
    await using secured = await on({ publicUrl: "https://pay.example" })
    assert.match((await secured.dashboard.firstLink())?.link ?? "", /^https:\/\/pay\.example\/dashboard\/join#/)
    for (const options of [
      { dashboard: false },
      { publicUrl: "http://pay.example" },
      { dashboard: { authenticate: () => null } }
    ]) {
      await using other = await on(options)
      assert.isNull(await other.dashboard.firstLink())
    }
  })

  it("need https, or this machine, and options that make sense", () => {
    for (const dashboard of [undefined, false, {}, { authenticate: () => null, reauthenticateUrl: "/login?again=1" }]) {
      assert.deepStrictEqual(problemsOf({ dashboard }), [])
    }
    assert.deepStrictEqual(problemsOf({ publicUrl: "http://pay.example" }), [])
    for (const publicUrl of ["http://pay.example", "http://192.168.0.7:4310", "http://localhost.evil.example"]) {
      assert.match(problemsOf({ publicUrl, dashboard: {} }).join(), /The dashboard needs https/)
    }
    for (const dashboard of [
      true,
      "on",
      null,
      { authenticates: () => null },
      { authenticate: "x" },
      { reauthenticateUrl: "/login" },
      ...["//evil.example", "javascript:alert(1)", "/\\evil.example", "", 1].map((reauthenticateUrl) => ({
        authenticate: () => null,
        reauthenticateUrl
      }))
    ]) {
      assert.strictEqual(problemsOf({ dashboard }).length, 1, JSON.stringify(dashboard))
    }
  })
})
