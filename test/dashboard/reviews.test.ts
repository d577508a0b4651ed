/** Operators resolve reviews in the dashboard: with the mouse, with the keyboard alone, and two of them at once. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import { card } from "../../packages/paymux/test/card.ts"
import { reportDuplicate } from "../../packages/paymux/test/ProviderReports.ts"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { activate, fill, moveTo } from "./keyboard.ts"

const proof = "Refunded in the provider's dashboard, re_88, A. Rao"

describe.skipIf(!hasBrowser)("reviews in the dashboard (Linux on x64, or CHROMIUM_PATH)", { timeout: 120_000 }, () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  }, 120_000)
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
  const resolveButton = (page: Page) => page.getByRole("button", { name: "Resolve" })

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
    await resolveButton(page).click()
    await page.getByText("Choose what happened.").waitFor()
    await page.getByRole("radio", { name: /money was returned/ }).check()
    await resolveButton(page).click()
    await page.getByText("Enter what proves it").waitFor()
    expect(await evidenceField(page).getAttribute("aria-invalid")).toBe("true")
    expect(await evidenceField(page).evaluate((field: Focusable) => field.ownerDocument.activeElement === field)).toBe(
      true
    )
    assert.deepInclude(await known(id), { open: 1, statements: [] })
    await evidenceField(page).fill(proof)
    await resolveButton(page).click()
    await page.getByText("Nothing is left to resolve").waitFor()
    await page.getByRole("region", { name: "Former resolutions" }).getByText("The money was returned").waitFor()
    assert.deepStrictEqual(await known(id), resolvedOnce)
    const { entries } = await shop().auditLog.list({ target: id })
    assert.deepStrictEqual(
      entries.map(({ action, actor }) => `${action} ${actor.name}`),
      ["review.resolve chinonso.okafor@shop.example"]
    )
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
    expect(await page.getByRole("radio", { name: /money was returned/ }).isChecked()).toBe(true)
    await fill(page, evidenceField(page), proof)
    await activate(page, resolveButton(page))
    await page.getByText("Nothing is left to resolve").waitFor()
    assert.deepStrictEqual(await known(id), resolvedOnce)
    assert.deepStrictEqual(problems, [])
  })

  it("act once on a double click", async () => {
    const id = await inReview()
    const { page, problems } = await openReview(id)
    await enter(page, /money was returned/)
    await resolveButton(page).dblclick()
    await page.getByText("Nothing is left to resolve").waitFor()
    assert.deepStrictEqual(await known(id), resolvedOnce)
    assert.deepStrictEqual(problems, [])
  })

  it("show the second of two operators what the first one did, and act once", async () => {
    const id = await inReview()
    const first = await openReview(id)
    const second = await openReview(id, "owner")
    await enter(second.page, /was not done/)
    await enter(first.page, /money was returned/)
    await resolveButton(first.page).click()
    await first.page.getByText("Nothing is left to resolve").waitFor()
    await resolveButton(second.page).click()
    const alert = second.page.getByRole("alert").filter({ hasText: "has changed since" })
    await alert.getByText("Someone else resolved “Duplicate capture”: the money was returned.").waitFor()
    expect(await evidenceField(second.page).inputValue()).toBe(proof)
    await alert.getByRole("button", { name: "Show the current state" }).click()
    await second.page.getByText("Nothing is left to resolve").waitFor()
    assert.deepStrictEqual(await known(id), resolvedOnce)
    assert.deepStrictEqual(
      second.problems.filter((problem) => !problem.endsWith("was answered 409.")),
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
    await enter(page, /money was returned/)
    await resolveButton(page).click()
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
    await enter(page, /money was returned/)
    await reportDuplicate(server.database, id, `ch_${id}_third`)
    await resolveButton(page).click()
    const alert = page.getByRole("alert").filter({ hasText: "was not applied" })
    await alert.getByRole("button", { name: "Show the current state" }).click()
    await page.getByRole("heading", { name: "2 open reviews" }).waitFor()
    expect(await evidenceField(page).first().inputValue()).toBe(proof)
    expect(
      await page
        .getByRole("radio", { name: /money was returned/ })
        .first()
        .isChecked()
    ).toBe(true)
    await resolveButton(page).first().click()
    await page.getByRole("heading", { name: "1 open review" }).waitFor()
    assert.deepInclude(await known(id), { open: 1, resolutions: ["given_back"], statements: [proof] })
  })

  it("are shown to viewers, who cannot resolve them, and a wrong address says so calmly", async () => {
    const id = await inReview()
    const { page, problems } = await openReview(id, "viewer")
    await page.getByText("An operator or an owner of this account can resolve it.").waitFor()
    expect(await resolveButton(page).count()).toBe(0)
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
