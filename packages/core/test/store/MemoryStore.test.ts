import { MemoryStore } from "@paymux/core/store"
import { paymentStoreSuite } from "@paymux/testkit"

paymentStoreSuite("MemoryStore", MemoryStore.layer)
