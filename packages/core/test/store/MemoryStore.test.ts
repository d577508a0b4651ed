import { MemoryStore } from "@paymux/core"
import { paymentStoreSuite } from "@paymux/testkit"

paymentStoreSuite("MemoryStore", MemoryStore.layer)
