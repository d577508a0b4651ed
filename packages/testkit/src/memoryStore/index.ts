/**
 * `@paymux/testkit/memory-store`: a payment store in memory, for tests of the engine. It does not need vitest.
 *
 * @module
 */
export * as MemoryStore from "./MemoryStore.ts"
