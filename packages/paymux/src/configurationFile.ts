/** The module with the options of `createPaymux` for a command: what `--config` names, or a default beside the caller. */
import { existsSync } from "node:fs"

const defaults = ["paymux.config.ts", "paymux.config.mts", "paymux.config.js", "paymux.config.mjs"]

export const defaultConfiguration = (): string | null => defaults.find((name) => existsSync(name)) ?? null

/** Whether a command with these arguments may load a configuration. */
export const mayBeConfigured = (args: ReadonlyArray<string>): boolean =>
  args.some((argument) => argument === "--config" || argument.startsWith("--config=")) ||
  defaultConfiguration() !== null
