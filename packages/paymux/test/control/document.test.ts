/** The OpenAPI document of the control API: what its endpoints answer beside their bodies. */
import { assert, describe, it } from "@effect/vitest"
import { controlApiDocument, controlEndpoints } from "@paymux/dashboard"
import type { ControlEndpoint } from "@paymux/dashboard"

interface Operation {
  readonly responses: {
    readonly [status: string]: { readonly description: string; readonly headers?: { readonly [name: string]: unknown } }
  }
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: { readonly Problem: { readonly properties: { readonly current: unknown } } }
  }
}

// Boundary: what this test reads of the document.
const document = controlApiDocument("") as unknown as Document

const nameOf = ({ group, name }: ControlEndpoint) => `${group}.${name}`

const operationOf = ({ method, path }: ControlEndpoint): Operation =>
  document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] ?? assert.fail(path)

const codesOf = (endpoint: ControlEndpoint, status: number): ReadonlyArray<string> =>
  operationOf(endpoint).responses[status]?.description.split(", ") ?? []

/** Those whose successful response has the header. */
const withHeader = (header: string) =>
  controlEndpoints().flatMap((endpoint) => {
    const answered = Object.entries(operationOf(endpoint).responses).filter(([status]) => Number(status) < 400)
    return answered.some(([, { headers = {} }]) => header in headers) ? [nameOf(endpoint)] : []
  })

describe("the document of the control API", () => {
  it("has the ETag of what has a version, and the header of a repeated response", () => {
    assert.sameMembers(withHeader("ETag"), [
      "payments.get",
      "disputes.record",
      "reviews.get",
      "reviews.consequences",
      "reviews.resolve",
      "rules.current",
      "rules.publish",
      "rules.rollback"
    ])
    assert.sameMembers(withHeader("Idempotent-Replayed"), ["payments.capture", "payments.cancel", "payments.refund"])
  })

  it("says where there may be too many requests", () => {
    for (const endpoint of controlEndpoints()) {
      if (endpoint.permission?._tag === "Member") assert.include(codesOf(endpoint, 503), "overloaded", nameOf(endpoint))
    }
    const limited = controlEndpoints().filter((endpoint) => codesOf(endpoint, 429).includes("rate_limited"))
    const ofPeople = limited.filter(({ group }) => group === "sign_in").length
    assert.strictEqual(ofPeople, controlEndpoints().filter(({ group }) => group === "sign_in").length)
    const isRead = ({ method, permission }: (typeof limited)[number]) =>
      method === "GET" && permission?._tag === "Member"
    assert.strictEqual(limited.filter(isRead).length, controlEndpoints().filter(isRead).length)
    const others = limited.filter((endpoint) => endpoint.group !== "sign_in" && !isRead(endpoint))
    assert.sameMembers(others.map(nameOf), ["endpoints.test", "session.reauthenticate", "session.confirmTotp"])
  })

  it("names each problem of a response once", () => {
    for (const endpoint of controlEndpoints()) {
      for (const [status, { description }] of Object.entries(operationOf(endpoint).responses)) {
        if (Number(status) < 400) continue
        const codes = description.split(", ")
        assert.lengthOf(codes, new Set(codes).size, `${nameOf(endpoint)} ${status}`)
      }
    }
  })

  it("says which problems have the present object", () => {
    const current = JSON.stringify(document.components.schemas.Problem.properties.current)
    for (const code of ["`version_conflict`", "`conflict`"]) assert.include(current, code)
  })
})
