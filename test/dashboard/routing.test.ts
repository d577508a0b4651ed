/** Routing rules in the dashboard: written, checked, replayed, published and rolled back by people. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { inTurn } from "../support/amount.ts"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard, screens } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { layoutShift, overflow, screenPairs, violationsOn } from "./axe.ts"
import { firstRules } from "./example/rules.ts"
import { activate, fill, moveTo } from "./keyboard.ts"
import { opened } from "./opened.ts"
import { people } from "./people.ts"

const euros = `  - name: euros
    when: { payment_method: card, currency: EUR }
    choose: { priority: [sandbox_card_b] }
`

/** The first rules with another rule before them. */
const withRule = (rule: string, text = firstRules) => text.replace("rules:\n", `rules:\n${rule}`)

const editorOf = (page: Page): Locator => page.getByRole("textbox", { name: /^Text of the rules/ })

/** By a click on the first line: the middle of a long text is far away. */
const focusEditor = (page: Page) => editorOf(page).click({ position: { x: 30, y: 16 } })

/** Replaces all text of the editor with what is in the clipboard. */
const write = async (page: Page, text: string): Promise<void> => {
  await page.evaluate<void>(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await focusEditor(page)
  await page.keyboard.press("ControlOrMeta+A")
  await page.keyboard.press("ControlOrMeta+V")
}

const publish = async (page: Page, note: string): Promise<void> => {
  await page.getByRole("button", { name: "Publish…" }).click()
  await page.getByRole("dialog").getByLabel("Note").fill(note)
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click()
}

const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

describe.skipIf(!hasBrowser)(
  "routing rules in the database (Linux on x64, or CHROMIUM_PATH)",
  { timeout: 600_000 },
  () => {
    let server: DashboardServer
    const current = () => server.paymux.rules.current()

    /** Each story begins with the first rules in force. */
    const reset = async () => {
      const { text, version } = await current()
      if (text !== firstRules) await server.paymux.rules.publish({ text: firstRules, from: version })
      return (await current()).version
    }

    beforeAll(async () => {
      server = await openDashboard()
      for (let n = 0; n < 3; n++) {
        await server.paymux.payments.create({
          amount: 1_200,
          currency: "EUR",
          payment_method: "card",
          payment_method_details: { card: { token: "tok_success" } },
          customer: { email: `payer${n}@customers.example`, phone: "+4915112345678" }
        })
      }
    })
    afterAll(() => server.close())

    it("a rule is drafted, its fault fixed, replayed, explained, published and rolled back", async () => {
      const before = await reset()
      const { page, problems } = await server.open("routing", { role: "routing" })
      await write(page, withRule(euros.replace("sandbox_card_b", "sandbox_card_x")))
      const fault = page.getByRole("list", { name: "Problems" }).getByRole("button")
      await fault.waitFor()
      assert.match(await fault.innerText(), /^Line 7, column \d+: .*sandbox_card_x/)
      assert.isTrue(await page.getByRole("button", { name: "Publish…" }).isDisabled())
      await fault.click()
      // The cursor is where the fault is.
      await page.keyboard.press("ControlOrMeta+ArrowRight")
      await page.keyboard.press("Backspace")
      await page.keyboard.type("b")
      await says(page, "Valid: 2 rules")

      await page.getByRole("link", { name: "Backtest the draft" }).click()
      await page.getByRole("button", { name: "Start backtest" }).click()
      await page.getByRole("heading", { name: "Payments that would go elsewhere" }).waitFor()
      assert.match(page.url(), /id=bt_/)
      await page.reload()
      const moved = page.getByRole("region", { name: "Payments that would go elsewhere" }).last()
      await moved.getByRole("link", { name: "sandbox_card_b" }).first().waitFor()
      assert.strictEqual(await moved.getByRole("row").count(), 4)

      await moved
        .getByRole("link", { name: /^Explain payment/ })
        .first()
        .click()
      await says(page, "decides, by priority.")
      await page.getByRole("combobox", { name: "Rules" }).selectOption("Your draft")
      await says(page, "of the draft decides")

      await page.getByRole("link", { name: "Rules", exact: true }).first().click()
      await publish(page, "Euros to bank B")
      await says(page, `Version ${before + 1} is in force.`)
      const published = await current()
      assert.strictEqual(published.text, withRule(euros))
      assert.deepInclude(published, { version: before + 1, note: "Euros to bank B" })
      assert.strictEqual(published.author?.name, people.routing.email)

      await page.getByRole("link", { name: "History" }).click()
      await page.getByRole("button", { name: `Compare version ${before + 1} with version ${before}` }).click()
      await says(page, "- name: euros")
      await page.getByRole("button", { name: `Roll back to version ${before}`, exact: true }).click()
      await page.getByRole("dialog").getByLabel("Note").fill("Bank B is down")
      await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click()
      await says(page, `Version ${before + 2} is in force.`)
      assert.deepInclude(await current(), { text: firstRules, restores: before, note: "Bank B is down" })
      assert.deepStrictEqual(problems, [])
      await page.context().close()
    })

    it("a draft that rejects payments is published, and rolled back to, once the person accepts it", async () => {
      const before = await reset()
      const { page, problems } = await server.open("routing", { role: "routing" })
      const dialog = page.getByRole("dialog")
      const accept = dialog.getByRole("checkbox", { name: /^Publish them, and reject these payments/ })
      const rejecting = `exclude: [sandbox_card_b]\n${withRule(euros)}`
      await write(page, rejecting)
      await page.getByRole("list", { name: "Problems" }).getByText("has no provider for a payment such as").waitFor()
      await page.getByRole("button", { name: "Publish…" }).click()
      await dialog.getByText('"sandbox_card_b" is excluded').waitFor()
      const publishing = dialog.getByRole("button", { name: "Publish" })
      assert.isTrue(await publishing.isDisabled())
      await accept.check()
      await publishing.click()
      await says(page, `Version ${before + 1} is in force.`)
      assert.strictEqual((await current()).text, rejecting)

      await server.paymux.rules.publish({ text: firstRules, from: before + 1 })
      await page.getByRole("link", { name: "History" }).click()
      await page.reload()
      await page.getByRole("button", { name: `Roll back to version ${before + 1}`, exact: true }).click()
      await accept.check()
      await dialog.getByRole("button", { name: "Roll back" }).click()
      await says(page, `Version ${before + 3} is in force.`)
      assert.deepInclude(await current(), { text: rejecting, restores: before + 1 })
      assert.deepStrictEqual(problems, [])
      await page.context().close()
    })

    it("publishes and rolls back by the keyboard alone", async () => {
      const before = await reset()
      const { page, problems } = await server.open("routing")
      await editorOf(page).waitFor()
      await moveTo(page, editorOf(page))
      await page.keyboard.press("ControlOrMeta+End")
      await page.keyboard.insertText("# Checked in November.\n")
      await says(page, "Valid: 1 rule")
      const button = page.getByRole("button", { name: "Publish…" })
      // The former text was valid, too.
      await button.and(page.locator(":enabled")).waitFor()
      await page.keyboard.press("Escape")
      await page.keyboard.press("Shift+Tab")
      await moveTo(page, button, { key: "Shift+Tab" })
      await page.keyboard.press("Enter")
      const dialog = page.getByRole("dialog")
      await fill(page, dialog.getByLabel("Note"), "A remark")
      await page.keyboard.press("Enter")
      await says(page, `Version ${before + 1} is in force.`)
      assert.strictEqual((await current()).text, `${firstRules}# Checked in November.\n`)

      await activate(page, page.getByRole("link", { name: "History" }))
      const back = page.getByRole("button", { name: `Roll back to version ${before}`, exact: true })
      await back.waitFor()
      await activate(page, back)
      await activate(page, dialog.getByRole("button", { name: "Roll back" }))
      await says(page, `Version ${before + 2} is in force.`)
      assert.deepInclude(await current(), { text: firstRules, restores: before })
      assert.deepStrictEqual(problems, [])
      await page.context().close()
    })

    it("a roll back replaces no version that was published after its dialog was opened, until the person says so", async () => {
      await server.paymux.rules.publish({ text: withRule(euros), from: await reset() })
      const { version } = await current()
      const { page } = await server.open("routing/history")
      await page.getByRole("button", { name: `Roll back to version ${version - 1}`, exact: true }).click()
      const dialog = page.getByRole("dialog")
      await server.paymux.rules.publish({ text: `${withRule(euros)}# Meanwhile.\n`, from: version })
      await dialog.getByRole("button", { name: "Roll back" }).click()
      await dialog.getByText(`Version ${version + 1} was published meanwhile`).waitFor()
      await dialog.getByText("# Meanwhile.").first().waitFor()
      assert.isTrue(await dialog.getByRole("button", { name: "Roll back" }).isDisabled())
      assert.strictEqual((await current()).version, version + 1)
      await dialog.getByRole("button", { name: `Replace version ${version + 1} too` }).click()
      await dialog.getByRole("button", { name: "Roll back" }).click()
      await says(page, `Version ${version + 2} is in force.`)
      assert.deepInclude(await current(), { text: firstRules, restores: version - 1 })
      await page.context().close()
    })

    it("of two who publish at once one sees the difference, keeps the draft, and rebases it", async () => {
      const before = await reset()
      const [dana, asha] = [await server.open("routing", { role: "routing" }), await server.open("routing")]
      await write(dana.page, withRule(euros))
      const remark = "# Reviewed by Asha.\n"
      await write(asha.page, `${firstRules}${remark}`)
      await says(dana.page, "Valid: 2 rules")
      await says(asha.page, "Valid: 1 rule")
      await asha.page.getByRole("button", { name: "Publish…" }).click()
      await publish(dana.page, "Euros to bank B")
      await says(dana.page, `Version ${before + 1} is in force.`)
      await asha.page.getByRole("dialog").getByRole("button", { name: "Publish" }).click()

      const note = asha.page.getByRole("alert").filter({ hasText: `Version ${before + 1} was published after` })
      await note.waitFor()
      assert.include(await note.innerText(), people.routing.email)
      const difference = asha.page.getByRole("region", {
        name: `Changes from version ${before} to version ${before + 1}`
      })
      await difference.getByText("- name: euros").waitFor()
      assert.include(await editorOf(asha.page).innerText(), "Reviewed by Asha")
      assert.isTrue(await asha.page.getByRole("button", { name: "Publish…" }).isDisabled())
      await asha.page.reload()
      await asha.page.getByRole("button", { name: `Rebase on version ${before + 1}` }).click()
      await says(asha.page, "Valid: 2 rules")
      await publish(asha.page, "With a remark")
      await says(asha.page, `Version ${before + 2} is in force.`)
      assert.strictEqual((await current()).text, `${withRule(euros)}${remark}`)
      assert.deepStrictEqual(dana.problems, [])
      assert.isTrue(asha.problems.every((problem) => problem.endsWith("was answered 409.")))
      await asha.page.context().close()
      await dana.page.context().close()
    })

    it("where both changed the same lines both are marked, or one text deliberately replaces the other", async () => {
      const before = await reset()
      const { page, problems } = await server.open("routing")
      const own = firstRules.replace("[sandbox_card_a, sandbox_card_b]", "[sandbox_card_b]")
      await write(page, own)
      await says(page, "Draft from version")
      const other = firstRules.replace("[sandbox_card_a, sandbox_card_b]", "[sandbox_card_a]")
      await server.paymux.rules.publish({ text: other, from: before })
      await page.reload()
      await page.getByRole("button", { name: `Rebase on version ${before + 1}` }).click()
      await says(page, "<<<<<<< your draft")
      await page.getByRole("list", { name: "Problems" }).waitFor()
      await write(page, own)
      await server.paymux.rules.publish({ text: firstRules, from: before + 1 })
      await page.reload()
      await page.getByRole("button", { name: `Keep my text in place of version ${before + 2}` }).click()
      await publish(page, "")
      await says(page, `Version ${before + 3} is in force.`)
      assert.deepInclude(await current(), { text: own, note: null })
      assert.deepStrictEqual(problems, [])
      await page.context().close()
    })

    it("the draft is there after the session ended, and gone when it is discarded", async () => {
      await reset()
      const { page } = await server.open("routing", { role: "routing" })
      await write(page, withRule(euros))
      await says(page, "Valid: 2 rules")
      await page.context().clearCookies()
      await page.keyboard.press("ControlOrMeta+End")
      await page.keyboard.insertText("# Not lost.\n")
      const dialog = page.getByRole("dialog", { name: "Your session has ended" })
      await dialog.getByLabel("Email").fill(people.routing.email)
      await dialog.getByLabel("Password").fill(people.routing.password)
      await dialog.getByRole("button", { name: "Sign in" }).click()
      await dialog.waitFor({ state: "hidden" })
      await says(page, "Valid: 2 rules")
      await page.reload()
      await says(page, "# Not lost.")
      await says(page, "- name: euros")
      await page.getByRole("button", { name: "Discard draft" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click()
      await says(page, "Change the text to begin a draft.")
      assert.notInclude(await editorOf(page).innerText(), "Not lost")
      await page.context().close()
    })

    it("completes conditions, values and providers, and searches", async () => {
      await reset()
      const { page, problems } = await server.open("routing")
      await write(page, `${firstRules.replace("rules:", "# rules:")}rules:\n  - name: x\n    when: { `)
      const options = page.getByRole("listbox").getByRole("option")
      await page.keyboard.type("card.c")
      await options.filter({ hasText: "card.country" }).click()
      await page.keyboard.type("C")
      await page.keyboard.press("Control+Space")
      await options.filter({ hasText: /^CH$/ }).waitFor()
      await page.keyboard.press("Escape")
      await page.keyboard.press("ControlOrMeta+F")
      await page.getByRole("textbox", { name: "Find" }).fill("sandbox_upi_b")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Escape")
      assert.deepStrictEqual(problems, [])
      await page.context().close()
    })

    it("markup and text that turns around are shown as text", async () => {
      const from = await reset()
      const text = `# <script>window.ran = 1</script> <img src=x onerror="window.ran = 1"> \u202Egnp.exe\n${firstRules}`
      await server.paymux.rules.publish({ text, from, note: "<script>window.ran = 1</script> \u202Egnp" })
      const { page, problems } = await server.open("routing", { role: "viewer" })
      await editorOf(page).getByText("<script>window.ran = 1</script>").waitFor()
      await page.getByTitle("Control character right-to-left override").waitFor()
      await page.goto(`${server.url}/dashboard/default/test/routing/history?from=${from}&to=${from + 1}`)
      await page
        .getByRole("region", { name: /^Changes from/ })
        .getByText("onerror")
        .waitFor()
      assert.isUndefined(await page.evaluate("window.ran"))
      assert.deepStrictEqual(problems, [])
      await page.context().close()
    })

    it("a viewer sees the rules, and changes nothing", async () => {
      await reset()
      const { page, problems } = await server.open("routing", { role: "viewer" })
      await says(page, "You can read the rules.")
      await focusEditor(page)
      await page.keyboard.type("x")
      assert.notInclude(await editorOf(page).innerText(), "x\n")
      assert.strictEqual(await page.getByRole("button", { name: /Publish|Discard/ }).count(), 0)
      await page.getByRole("link", { name: "History" }).click()
      await page
        .getByRole("button", { name: /^Compare/ })
        .first()
        .waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /^Roll back/ }).count(), 0)
      await page.getByRole("link", { name: "Explain", exact: true }).click()
      const [payment] = (await server.paymux.payments.list()).data
      await page.getByLabel("Id of the payment").fill(payment?.id ?? "")
      await page.getByRole("button", { name: "Explain" }).click()
      await says(page, "decides, by priority.")
      await says(page, / decided.*is the first available provider in the list\. If .* is next/)
      await page.getByRole("link", { name: "Backtest", exact: true }).click()
      await says(page, "Backtests need the role")
      await opened(page, `${server.url}/dashboard/default/test/payments/${payment?.id}`)
      await page
        .getByText(/^Rule “.*” chose /)
        .first()
        .click()
      await page.getByRole("button", { name: "Explain rule by rule" }).click()
      await says(page, / decided.*is the first available provider in the list\. If .* is next/)
      assert.deepStrictEqual(problems, [])
      await page.context().close()
    })

    it("is accessible and fits on every screen", async () => {
      await reset()
      const { page } = await server.open("routing")
      await write(page, withRule(euros.replace("sandbox_card_b", "sandbox_card_x")))
      await page.getByRole("list", { name: "Problems" }).waitFor()
      assert.isBelow(await layoutShift(page), 0.1)
      const [payment] = (await server.paymux.payments.list()).data
      for (const path of [
        "routing",
        "routing/history?from=1&to=2",
        `routing/explain?payment=${payment?.id}`,
        "routing/explain?subject=request&payment_method=card&currency=EUR",
        "routing/backtest"
      ]) {
        await opened(page, `${server.url}/dashboard/default/test/${path}`)
        assert.deepStrictEqual(await violationsOn(page, inTurn(screenPairs)), [], path)
        await page.setViewportSize(screens.phoneLight.viewport)
        assert.strictEqual(await overflow(page), 0, path)
        await page.setViewportSize(screens.desktopLight.viewport)
      }
      await page.context().close()
    })
  }
)

describe.skipIf(!hasBrowser)("routing rules in a file (Linux on x64, or CHROMIUM_PATH)", { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-routing-file-"))
  const file = join(folder, "routing.yaml")
  const rule = (n: number) =>
    `  - name: rule ${n}\n    when: { account: shop_${n} }\n    choose: { priority: [sandbox_card_a] }\n`
  const many = `version: 1\nrules:\n${Array.from({ length: 10_000 }, (_, n) => rule(n)).join("")}default: { priority: [sandbox_card_a] }\n`
  let server: DashboardServer
  beforeAll(async () => {
    writeFileSync(file, many)
    server = await openDashboard({ paymux: { sandbox: true, routing: file } })
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("10,000 rules open and scroll, can be downloaded, and say how they could be edited here", async () => {
    const { page, problems } = await server.open("routing")
    await says(page, `The rules come from the file ${file}, and are edited there.`)
    await says(page, 'routing: { source: "database", initial: "routing.yaml" }')
    assert.strictEqual(await page.getByRole("button", { name: "Publish…" }).count(), 0)
    await focusEditor(page)
    await page.keyboard.press("ControlOrMeta+End")
    await says(page, "- name: rule 9999")
    const started = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download" }).click()
    const saved = await (await started).path()
    assert.include(readFileSync(saved, "utf8"), "rule 9999")
    assert.deepStrictEqual(problems, [])
    await page.context().close()
  })
})

describe.skipIf(!hasBrowser)("a large draft (Linux on x64, or CHROMIUM_PATH)", { timeout: 600_000 }, () => {
  it("of 10,000 rules is checked while the page answers, and is refused as too large", async () => {
    const server = await openDashboard()
    try {
      const { page } = await server.open("routing")
      const rules = Array.from({ length: 10_000 }, (_, n) => `- {name: "${n}", when: *w, choose: *c}\n`).join("")
      const first = "rules:\n- {name: x, when: &w {account: a}, choose: &c {priority: [sandbox_card_a]}}\n"
      await write(page, `version: 1\n${first}${rules}default: {priority: [sandbox_card_a]}\n`)
      await says(page, "rules in the database may have at most 2000")
      await page.keyboard.press("ControlOrMeta+Home")
      await page.keyboard.type("# still answers\n")
      await says(page, "# still answers")
      await page.reload()
      await says(page, "# still answers")
    } finally {
      await server.close()
    }
  })
})
