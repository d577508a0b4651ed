import { MemoryStore } from "@paymux/testkit/memory-store"
import { clockCorrectionSuite } from "@paymux/test-suites"

clockCorrectionSuite("MemoryStore", MemoryStore.layer)
