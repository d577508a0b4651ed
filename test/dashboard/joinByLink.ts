/** A person opens the link of an invitation, joins with a password, and signs in with it. */
import type { Page } from "playwright-core"

interface Credentials {
  readonly email: string
  readonly password: string
}

export const joinByLink = async (page: Page, link: string, { email, password }: Credentials): Promise<void> => {
  await page.goto(link)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Join" }).click()
  await page.getByRole("heading", { name: "You have joined" }).waitFor()
  await page.getByRole("link", { name: "Sign in" }).click()
  await signInByForm(page, { email, password })
}

export const signInByForm = async (page: Page, { email, password }: Credentials): Promise<void> => {
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("navigation", { name: "Pages" }).waitFor()
}
