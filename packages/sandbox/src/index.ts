/**
 * `@paymux/sandbox`: simulated providers, two per rail, that take no money.
 *
 * @module
 */

// the providers, and the values that select their behavior
export { sandboxProviders, sandboxRoutes } from "./SandboxProviders.ts"
export type { Sandbox, SandboxProviderId } from "./SandboxProviders.ts"
export type { ProviderModel } from "./capabilities.ts"
export { vendorModels } from "./generated/vendorModels.ts"
export { approvingPhone, cardTokens, scenarios, transfers, upiIds } from "./MagicValues.ts"
export { SandboxControl } from "./SandboxControl.ts"

// the ledger of the providers
export { LedgerUnavailable, SandboxLedger } from "./SandboxLedger.ts"
export type { LedgerChange, LedgerEntry, Movement, SandboxEvent, SandboxState, Step } from "./LedgerEntry.ts"
export * as SqlSandboxLedger from "./SqlSandboxLedger.ts"
export { sandboxMigrations } from "./migrations.ts"

// the webhooks of the providers, and the simulation of the payer
export { SandboxNotifier } from "./SandboxNotifier.ts"
export { InvalidSimulation, NotPending, SandboxSimulator, SimulateError, SimulateJson } from "./SandboxSimulator.ts"
export * as SandboxPage from "./SandboxPage.ts"
export type { SandboxPages } from "./SandboxPage.ts"
