/** Operators resolve reviews in the dashboard: with the mouse, with the keyboard alone, and two of them at once. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import { card } from "../../packages/paymux/test/card.ts"
import { report, reportDuplicate } from "../../packages/paymux/test/ProviderReports.ts"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { activate, fill, moveTo } from "./keyboard.ts"

const proof = "Refunded in the provider's dashboard, re_88, A. Rao"

describe.skipIf(!hasBrowser)("reviews in the dashboard (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  })
  afterAll(() => server?.close())

  const shop = () => server.paymux.forAccount("default", { mode: "test" })

  /** A paid payment of which the provider reports a second charge. */
  const inReview = async (): Promise<string> => {
    const { id } = await shop().payments.create(card)
    await reportDuplicate(server.database, id, `ch_${id}_second`)
    return id
  }

  const openReview = async (id: string, role: "operator" | "owner" | "viewer" = "operator") => {
    const { page, problems } = await server.open(`reviews/${id}`, { role })
    await page.getByRole("heading", { name: "Duplicate capture" }).waitFor()
    return { page, problems }
  }

  const evidenceField = (page: Page) => page.getByRole("textbox", { name: "Evidence" })
  const continueButton = (page: Page) => page.getByRole("button", { name: "Continue" })
  const resolveButton = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Resolve" })
  /** Reads the consequences, and confirms. */
  const confirm = async (page: Page) => {
    await continueButton(page).first().click()
    await resolveButton(page).click()
  }

  const enter = async (page: Page, outcome: RegExp) => {
    await page.getByRole("radio", { name: outcome }).check()
    await evidenceField(page).fill(proof)
  }

  /** What the library says: the statements of operators, and how each review was resolved. */
  const known = async (id: string) => {
    const { evidence, resolved, reviews } = await shop().reviews.get(id)
    return {
      open: reviews.length,
      resolutions: resolved.map(({ resolution }) => resolution),
      statements: evidence.filter(({ source }) => source === "operator").map(({ document }) => document)
    }
  }

  const resolvedOnce = { open: 0, resolutions: ["given_back" as const], statements: [proof] }

  it("are resolved with the mouse, and refused at the field where the evidence is missing", async () => {
    const id = await inReview()
    const { page, problems } = await openReview(id)
    await page
      .getByRole("table")
      .filter({ hasText: `ch_${id}_second` })
      .first()
      .waitFor()
    await continueButton(page).click()
    await page.getByText("Choose what happened.").waitFor()
    await page.getByRole("radio", { name: /Refunded outside Paymux/ }).check()
    await continueButton(page).click()
    await page.getByText("Enter what proves it").waitFor()
    expect(await evidenceField(page).getAttribute("aria-invalid")).toBe("true")
    expect(await evidenceField(page).evaluate((field: Focusable) => field.ownerDocument.activeElement === field)).toBe(
      true
    )
    assert.deepInclude(await known(id), { open: 1, statements: [] })
    await evidenceField(page).fill(proof)
    await confirm(page)
    await page.getByText("Nothing is left to resolve").waitFor()
    await page
      .getByRole("region", { name: "Former resolutions" })
      .getByText("Refunded or released outside Paymux")
      .waitFor()
    assert.deepStrictEqual(await known(id), resolvedOnce)
    const { entries } = await shop().auditLog.list({ target: id })
    assert.deepStrictEqual(
      entries.map(({ action, actor }) => `${action} ${actor.name}`),
      ["review.resolve chinonso.okafor@shop.example"]
    )
    assert.deepStrictEqual(problems, [])
  })

  it("name the consequences, and accept a part of the money only with the amount typed and a reason", async () => {
    const { id } = await shop().payments.create({ ...card, payment_method_details: { card: { token: "tok_3ds" } } })
    await report(server.database, id, (amount) => ({
      _tag: "Succeeded",
      amount: { ...amount, minorUnits: 500 },
      reference: `ch_${id}`
    }))
    const { page, problems } = await server.open(`reviews/${id}`, { role: "operator" })
    await enter(page, /Accept partial amount/)
    await continueButton(page).click()
    const dialog = page.getByRole("dialog")
    for (const text of ["Pending → succeeded", "0.00 EUR → 5.00 EUR", "payment.succeeded"]) {
      await dialog.getByText(text, { exact: true }).waitFor()
    }
    const amount = dialog.getByRole("textbox", { name: "Accepted amount, in EUR" })
    await resolveButton(page).click()
    await dialog.getByText("Type exactly the amount that the provider has: 5.00.").waitFor()
    await dialog.getByText("Enter why this amount is enough.").waitFor()
    await amount.fill("12.00")
    await dialog.getByRole("textbox", { name: "Reason" }).fill("The rest was paid in cash")
    await resolveButton(page).click()
    assert.deepInclude(await known(id), { open: 1, statements: [] })
    await amount.fill("5.00")
    await resolveButton(page).click()
    await page.getByText("Nothing is left to resolve").waitFor()
    const payment = await shop().payments.get(id)
    assert.deepInclude(payment, { status: "succeeded", amount: 1200, amount_captured: 500, amount_received: 500 })
    const [entry] = (await shop().auditLog.list({ target: id })).entries
    assert.deepInclude(entry?.after, { accepted: 500, reason: "The rest was paid in cash" })
    assert.deepStrictEqual(problems, [])
  })

  it("are found and resolved with the keyboard alone", async () => {
    const id = await inReview()
    const { page, problems } = await server.open("reviews", { role: "operator" })
    await page.getByRole("row").filter({ hasText: id }).waitFor()
    await moveTo(page, page.getByRole("row").filter({ hasText: id }), { key: "j" })
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Duplicate capture" }).waitFor()
    await moveTo(page, page.getByRole("radio").first())
    await page.keyboard.press("Space")
    await page.keyboard.press("ArrowDown")
    expect(await page.getByRole("radio", { name: /Refunded outside Paymux/ }).isChecked()).toBe(true)
    await fill(page, evidenceField(page), proof)
    await activate(page, continueButton(page))
    await activate(page, resolveButton(page))
    await page.getByText("Nothing is left to resolve").waitFor()
    assert.deepStrictEqual(await known(id), resolvedOnce)
    assert.deepStrictEqual(problems, [])
  })

  it("act once on a double click", async () => {
    const id = await inReview()
    const { page, problems } = await openReview(id)
    await enter(page, /Refunded outside Paymux/)
    await continueButton(page).click()
    await resolveButton(page).dblclick()
    await page.getByText("Nothing is left to resolve").waitFor()
    assert.deepStrictEqual(await known(id), resolvedOnce)
    assert.deepStrictEqual(problems, [])
  })

  it("show the second of two operators what the first one did, and act once", async () => {
    const id = await inReview()
    const first = await openReview(id)
    const second = await openReview(id, "owner")
    await enter(second.page, /Not charged/)
    await enter(first.page, /Refunded outside Paymux/)
    await confirm(first.page)
    await first.page.getByText("Nothing is left to resolve").waitFor()
    await continueButton(second.page).click()
    const alert = second.page.getByRole("alert").filter({ hasText: "has changed since" })
    await alert
      .getByText("Someone else resolved “Duplicate capture” as “Refunded or released outside Paymux”.")
      .waitFor()
    expect(await evidenceField(second.page).inputValue()).toBe(proof)
    await alert.getByRole("button", { name: "Show the current state" }).click()
    await second.page.getByText("Nothing is left to resolve").waitFor()
    assert.deepStrictEqual(await known(id), resolvedOnce)
    assert.deepStrictEqual(
      second.problems.filter((problem) => !problem.endsWith("was answered 400.")),
      []
    )
  })

  it("are resolved once where the answer is lost, and the page says so when the statement is sent again", async () => {
    const id = await inReview()
    const { page } = await openReview(id)
    await page.route(
      "**/resolve",
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 }
    )
    await enter(page, /Refunded outside Paymux/)
    await confirm(page)
    await page.getByText("Send it again: it acts once.").waitFor()
    await resolveButton(page).click()
    await page.getByText("The review is resolved.").waitFor()
    await page.getByText("Nothing is left to resolve").waitFor()
    expect(await page.getByText("was not applied").count()).toBe(0)
    assert.deepStrictEqual(await known(id), resolvedOnce)
  })

  it("keep what was typed when the payment changes, and take it for the newer state", async () => {
    const id = await inReview()
    const { page } = await openReview(id)
    await enter(page, /Refunded outside Paymux/)
    await reportDuplicate(server.database, id, `ch_${id}_third`)
    await confirm(page)
    const alert = page.getByRole("alert").filter({ hasText: "was not applied" })
    await alert.getByRole("button", { name: "Show the current state" }).click()
    await page.getByRole("heading", { name: "2 open reviews" }).waitFor()
    expect(await evidenceField(page).first().inputValue()).toBe(proof)
    expect(
      await page
        .getByRole("radio", { name: /Refunded outside Paymux/ })
        .first()
        .isChecked()
    ).toBe(true)
    await confirm(page)
    await page.getByRole("heading", { name: "1 open review" }).waitFor()
    assert.deepInclude(await known(id), { open: 1, resolutions: ["given_back"], statements: [proof] })
  })

  it("are shown to viewers, who cannot resolve them, and a wrong address says so calmly", async () => {
    const id = await inReview()
    const { page, problems } = await openReview(id, "viewer")
    await page.getByText("An operator or an owner of this account can resolve it.").waitFor()
    expect(await continueButton(page).count()).toBe(0)
    assert.deepStrictEqual(problems, [])
    await page.goto(`${server.url}/dashboard/default/test/reviews/pay_01jd8w6x2vh6k9v0q3f7m5t1ac`)
    await page.getByText("There is no such payment in this account and mode").waitFor()
  })

  it("are filtered and ordered by the address", async () => {
    const id = await inReview()
    const { page } = await server.open("reviews?reason=duplicate_capture&currency=EUR&order=amount")
    await page.getByRole("row").filter({ hasText: id }).waitFor()
    expect(await page.getByRole("button", { name: "Largest first" }).getAttribute("aria-pressed")).toBe("true")
    await page.getByRole("button", { name: "Remove filter Reason" }).click()
    await page.waitForURL((url) => !url.search.includes("reason"))
    await page.goto(`${server.url}/dashboard/default/test/reviews?reason=late_success`)
    await page.getByText("No review matches these filters").waitFor()
  })
})

/** Of an element in the browser. */
interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown }
}
