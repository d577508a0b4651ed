/** A Paymux whose passwords are hashed in a hundredth of their time: each stored hash names its cost. */
import { PasswordSettings } from "@paymux/dashboard"
import { Context } from "effect"
import { createPaymuxIn } from "../src/createPaymux.ts"
import type { Paymux } from "../src/createPaymux.ts"
import type { PaymuxOptions } from "../src/options/PaymuxOptions.ts"
import type { SandboxOption } from "../src/options/sandboxOption.ts"

export const quickPasswords = Context.make(PasswordSettings, { logN: 10, places: 12 })

export const createQuickPaymux = (options: PaymuxOptions<string>): Promise<Paymux> =>
  createPaymuxIn<string, SandboxOption>(quickPasswords, options)
