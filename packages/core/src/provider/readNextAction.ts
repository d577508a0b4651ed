/**
 * Validates the next action that a provider returns: it is used on the payment page, in its headers and in the API.
 * Without a usable action the payment is still pending.
 */
import { Predicate } from "effect"
import { hasHidden, isAppLink, isForbiddenScheme, isWebAddress, schemeOf } from "../domain/links.ts"
import type { NextAction } from "../domain/NextAction.ts"
import { isTime } from "./isTime.ts"

/** The maximum length in characters. A QR code holds at most 2331. */
const longest = { address: 500, amount: 60, image: 131_072, link: 2048, name: 64, page: 8192 } as const

/** Returns the next action with only the contract's members; or, if invalid, the problem as the end of a sentence. */
export const readNextAction = (value: unknown): NextAction | string => {
  if (!Predicate.isObject(value)) return "is not an object"
  const { expiresAt } = value
  if (!isTime(expiresAt)) return "has no valid expiresAt"
  switch (value["type"]) {
    case "upi_intent":
      return isLink(value["uri"]) ? { type: "upi_intent", uri: value["uri"], expiresAt } : `has a uri that ${noLink}`
    case "upi_qr":
      return readQr(value, expiresAt)
    case "redirect":
      return isPage(value["url"]) ? { type: "redirect", url: value["url"], expiresAt } : `has a url that ${noPage}`
    case "stablecoin_transfer":
      return readTransfer(value, expiresAt)
    case "wait":
      return { type: "wait", expiresAt }
    default:
      return "has no known type"
  }
}

const readQr = (
  { image = null, payload = null }: { readonly image?: unknown; readonly payload?: unknown },
  expiresAt: number | null
): NextAction | string => {
  if (image === null && payload === null) return "has neither a payload nor an image"
  if (payload !== null && !isCodeText(payload)) {
    return `has a payload that is no text of 1 to ${longest.link} characters without control characters`
  }
  if (image !== null && !isImage(image)) return `has an image that ${noImage}`
  return { type: "upi_qr", payload, image, expiresAt }
}

const readTransfer = (
  { address, amount, asset, image, network, uri }: { readonly [member: string]: unknown },
  expiresAt: number | null
): NextAction | string => {
  if (!isName(address, longest.address)) return `has no address of 1 to ${longest.address} visible characters`
  if (!isLink(uri)) return `has a uri that ${noLink}`
  if (!isName(amount, longest.amount) || !/^\d+(?:\.\d+)?$/.test(amount)) return "has an amount that is no decimal"
  for (const [name, text] of Object.entries({ asset, network })) {
    if (!Predicate.isNullish(text) && !isName(text, longest.name)) {
      return `has no valid ${name}: it has 1 to ${longest.name} visible characters`
    }
  }
  if (!Predicate.isNullish(image) && !isImage(image)) return `has an image that ${noImage}`
  return {
    type: "stablecoin_transfer",
    address,
    uri,
    amount,
    ...(isName(asset, longest.name) && { asset }),
    ...(isName(network, longest.name) && { network }),
    ...(isImage(image) && { image }),
    expiresAt
  }
}

const noLink = `is no link of an app, of at most ${longest.link} characters`
const noPage = `is no http or https address of at most ${longest.page} characters`
const noImage = `is neither an https address nor a data: URL of an image, or is longer than ${longest.image} characters`

const isLink = (value: unknown): value is string =>
  typeof value === "string" && value.length <= longest.link && isAppLink(value)

const isPage = (value: unknown): value is string =>
  typeof value === "string" && value.length <= longest.page && isWebAddress(value)

const isCodeText = (value: unknown): value is string => {
  if (!isName(value, longest.link)) return false
  const scheme = schemeOf(value)
  return scheme === null || !isForbiddenScheme(scheme)
}

const dataImage = /^data:image\/(?:gif|jpeg|png|svg\+xml|webp)(?:;[a-z0-9=-]+)*,[\x21-\x7e]+$/i

const isImage = (value: unknown): value is string => {
  if (typeof value !== "string" || value.length > longest.image) return false
  return /^data:/i.test(value) ? dataImage.test(value) : value.startsWith("https://") && isPage(value)
}

const isName = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= most && value.isWellFormed() && !hasHidden(value)
