import { type Capabilities, invalidRequest, misconfigured, Outcome, type ProviderOperation } from "@paymux/core"
import { Console, Effect } from "effect"
import { answering, type Bug, withOperations } from "../Bug.ts"

export const secretBugs: ReadonlyArray<Bug> = [
  {
    check: "secrets",
    name: "logs the operation at the debug level",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) => Effect.andThen(Effect.logDebug("acme create", operation), create(operation))
      )
  },
  {
    check: "secrets",
    name: "puts the credentials on its span",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.withSpan(create(operation), "acme.create", { attributes: { authorization: basic(acmeKey) } })
      )
  },
  {
    check: "secrets",
    name: "has the card's token in the error of a refused request",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.catchTag(create(operation), "ProviderError", (error) =>
            Effect.fail(
              error.reason._tag === "InvalidRequest" ? invalidRequest(`no such token: ${tokenOf(operation)}`) : error
            )
          )
      )
  },
  {
    check: "secrets",
    name: "hands the refused key on in the error",
    adapter: "northbank",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.catchTag(create(operation), "ProviderError", (error) =>
            Effect.fail(
              error.reason._tag === "Misconfigured" ? misconfigured(`refused: ${basic(northbankKey)}`) : error
            )
          )
      )
  },
  {
    check: "secrets",
    name: "keeps the vendor's text as its code, where it does not know the answer",
    adapter: "northbank",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Unknown"
              ? Outcome.unknown({ ...answer, vendorCode: `cannot read {"customer":"${operation.customer.email}"}` })
              : answer
          )
      )
  },
  {
    check: "secrets",
    name: "logs whose payment it is",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) => Effect.andThen(Effect.logInfo(operation.customer.name), create(operation))
      )
  },
  {
    check: "secrets",
    name: "has the payer's phone number in the error of a refused request",
    adapter: "northbank",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.catchTag(create(operation), "ProviderError", (error) =>
            Effect.fail(
              error.reason._tag === "InvalidRequest" ? invalidRequest(`phone ${operation.customer.phone}`) : error
            )
          )
      )
  },
  {
    check: "secrets",
    name: "puts the payer's IP address on its span",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.withSpan(create(operation), "acme.create", { attributes: { ip: operation.client?.ip } })
      )
  },
  {
    check: "secrets",
    name: "writes the payer's UPI address to the console",
    adapter: "northbank",
    plant: (provider) =>
      withOperations(
        // It takes collect requests, too: the address is asked for.
        { ...provider, capabilities: collecting(provider.capabilities) },
        ({ create }) => ({
          create: (operation) =>
            Effect.andThen(
              Console.info(operation.method.rail === "upi" ? operation.method.vpa : null),
              create(operation)
            )
        })
      )
  },
  {
    check: "secrets",
    name: "sends the payer to a page with the key in its address",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (reported) =>
            reported._tag === "Pending" && reported.nextAction?.type === "redirect"
              ? Outcome.pending({
                  ...reported,
                  nextAction: { ...reported.nextAction, url: `${reported.nextAction.url}?key=${acmeKey}` }
                })
              : reported
          )
      )
  },
  {
    check: "secrets",
    name: "has its options where everybody sees them",
    adapter: "acme",
    plant: (provider) => withOperations(provider, () => ({ options: { apiKey: acmeKey } }) as object)
  },
  {
    check: "secrets",
    name: "writes the secret of a refused webhook to the console",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ webhook }) => ({
        ...(webhook && {
          webhook: (body, headers, receivedAt) =>
            Effect.tapError(webhook(body, headers, receivedAt), () =>
              Console.error("not signed with", { secrets: [acmeSecret] })
            )
        })
      }))
  },
  {
    check: "test-and-live",
    name: "is a test instance whatever its key is",
    adapter: "acme",
    plant: (provider) => ({ ...provider, mode: "test" })
  },
  {
    check: "test-and-live",
    name: "takes a refused key for a decline",
    adapter: "northbank",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.catchTag(create(operation), "ProviderError", (error) =>
            error.reason._tag === "Misconfigured"
              ? Effect.succeed(Outcome.declined({ code: "not_permitted", retry: "other_provider" }))
              : Effect.fail(error)
          )
      )
  },
  {
    check: "test-and-live",
    name: "takes a refused inquiry for one that found nothing",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ inquire }) => ({
        ...(inquire && {
          inquire: (operation) =>
            Effect.catchTag(inquire(operation), "ProviderError", () => Effect.succeed(Outcome.notFound()))
        })
      }))
  }
]

const collecting = ({ methods, operations }: Capabilities): Capabilities => ({
  operations,
  methods: { ...methods, ...(methods.upi && { upi: { ...methods.upi, flows: { collect: {} } } }) }
})

// Credentials of the fakes.
const acmeKey = "acme_test_2d9f41"
const acmeSecret = "whsec_test_8c1a02"
const northbankKey = "sk_91b4e6"

const basic = (secret: string): string => `Basic ${Buffer.from(`merchant:${secret}`).toString("base64")}`

const tokenOf = ({ method }: ProviderOperation): string => (method.rail === "card" ? (method.token ?? "") : "")
