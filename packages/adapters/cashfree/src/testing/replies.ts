/** Answers of one form. */
import type { FakeAnswer } from "@paymux/testkit/fake"
import { json } from "./literals.ts"

export const ok = (value: unknown): FakeAnswer => ({
  status: 200,
  text: json(value),
  headers: { "content-type": "application/json" }
})

export const bad = (code: string): FakeAnswer => ({
  status: 400,
  json: { message: "not possible", code, type: "invalid_request_error" }
})

export const notFound = (what: string): FakeAnswer => ({
  status: 404,
  json: { message: `${what} is not found`, code: `${what}_not_found`, type: "invalid_request_error" }
})

/** The wording of integrators' logs. */
export const featureNotEnabled = (feature: string, code: string, status: number): FakeAnswer => ({
  status,
  json: {
    message: `${feature} is not enabled or approved. Please reach out to care@cashfree.com.`,
    code,
    type: "feature_not_enabled"
  }
})
