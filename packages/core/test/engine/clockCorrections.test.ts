import { MemoryStore } from "@paymux/core/store"
import { clockCorrectionSuite } from "@paymux/test-suites"

clockCorrectionSuite("MemoryStore", MemoryStore.layer)
