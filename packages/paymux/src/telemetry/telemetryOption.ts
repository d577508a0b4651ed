/** Where traces and metrics are sent: option `telemetry`, or the environment that OpenTelemetry's specification names. */
import { Predicate, Redacted } from "effect"

/**
 * `"env"`: what the environment says (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, …); nothing is sent where it names no endpoint.
 */
export type TelemetryOption =
  | "env"
  | {
      /** Of a collector: `http://localhost:4318`. Traces go to `/v1/traces` below it, metrics to `/v1/metrics`. */
      readonly otlpEndpoint: string
      /** Sent with each export, such as a vendor's key. */
      readonly headers?: { readonly [name: string]: string }
      /** Default: `paymux`. */
      readonly serviceName?: string
      /** The share of traces that are sent, of those that begin here: 0 to 1. Default: 1. */
      readonly sampleRatio?: number
      /** Of the resource, such as `deployment.environment.name`. */
      readonly attributes?: { readonly [name: string]: string }
    }

export interface TelemetrySettings {
  /** `null`: this signal is not sent. */
  readonly tracesUrl: string | null
  readonly metricsUrl: string | null
  readonly protocol: "http/protobuf" | "http/json"
  readonly headers: Redacted.Redacted<{ readonly [name: string]: string }>
  readonly serviceName: string
  /** 0 to 1 */
  readonly sampleRatio: number
  readonly attributes: { readonly [name: string]: string }
}

export interface Environment {
  readonly [name: string]: string | undefined
}

/** `null`: nothing is sent. Only of an option without problems. */
export const telemetryOf = (
  option: TelemetryOption | undefined,
  environment: Environment
): TelemetrySettings | null => {
  if (option === undefined) return null
  if (option === "env") return ofEnvironment(environment)
  const { attributes = {}, headers = {}, otlpEndpoint, sampleRatio = 1, serviceName = "paymux" } = option
  return {
    tracesUrl: below(otlpEndpoint, "v1/traces"),
    metricsUrl: below(otlpEndpoint, "v1/metrics"),
    protocol: "http/protobuf",
    headers: Redacted.make(headers),
    serviceName,
    sampleRatio,
    attributes
  }
}

export const telemetryProblems = (option: unknown, environment: Environment): ReadonlyArray<string> => {
  if (option === undefined) return []
  if (option === "env") return environmentProblems(environment)
  if (!Predicate.isObject(option)) return ['telemetry must be "env" or an object with an otlpEndpoint.']
  const { attributes, headers, otlpEndpoint, sampleRatio, serviceName, ...others } = fieldsOf(option)
  return [
    ...Object.keys(others).map((name) => `There is no option "telemetry.${name}".`),
    ...(isEndpoint(otlpEndpoint) ? [] : ["telemetry.otlpEndpoint must be an http or https address, without a query."]),
    ...(headers === undefined || isHeaders(headers) ? [] : ["telemetry.headers must be names of headers with texts."]),
    ...(sampleRatio === undefined || isShare(sampleRatio) ? [] : ["telemetry.sampleRatio must be from 0 to 1."]),
    ...(serviceName === undefined || isName(serviceName) ? [] : ["telemetry.serviceName must be a text."]),
    ...(attributes === undefined || isTexts(attributes) ? [] : ["telemetry.attributes must be names with texts."])
  ]
}

const fieldsOf = (option: object): { readonly [name: string]: unknown } => ({ ...option })

/** An empty variable is one that is not set, as the specification has it. */
const value = (environment: Environment, name: string): string | undefined => {
  const text = environment[name]?.trim()
  return text === "" ? undefined : text
}

const ofEnvironment = (environment: Environment): TelemetrySettings | null => {
  if (value(environment, "OTEL_SDK_DISABLED")?.toLowerCase() === "true") return null
  const tracesUrl = urlOf(environment, "TRACES")
  const metricsUrl = urlOf(environment, "METRICS")
  if (tracesUrl === null && metricsUrl === null) return null
  const { "service.name": named, ...attributes } = pairs(value(environment, "OTEL_RESOURCE_ATTRIBUTES")) ?? {}
  return {
    tracesUrl,
    metricsUrl,
    protocol: value(environment, PROTOCOL) === "http/json" ? "http/json" : "http/protobuf",
    headers: Redacted.make(pairs(value(environment, "OTEL_EXPORTER_OTLP_HEADERS")) ?? {}),
    serviceName: value(environment, "OTEL_SERVICE_NAME") ?? named ?? "paymux",
    sampleRatio: ratioOf(environment),
    attributes
  }
}

/** Whether it says `parentbased` or not, a trace that was begun elsewhere is kept as it says. */
const ratioOf = (environment: Environment): number => {
  switch (value(environment, SAMPLER)?.replace("parentbased_", "")) {
    case "always_off":
      return 0
    case "traceidratio":
      return Number(value(environment, `${SAMPLER}_ARG`) ?? 1)
    default:
      return 1
  }
}

const SAMPLER = "OTEL_TRACES_SAMPLER"
const samplers = /^(?:parentbased_)?(?:always_on|always_off|traceidratio)$/
const PROTOCOL = "OTEL_EXPORTER_OTLP_PROTOCOL"

/** The signal's own address is taken as it is, the common one gets the signal's path. */
const urlOf = (environment: Environment, signal: "TRACES" | "METRICS"): string | null => {
  const exporter = value(environment, `OTEL_${signal}_EXPORTER`)
  if (exporter !== undefined && !exporter.split(",").includes("otlp")) return null
  const common = value(environment, "OTEL_EXPORTER_OTLP_ENDPOINT")
  const own = value(environment, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)
  return own ?? (common === undefined ? null : below(common, `v1/${signal.toLowerCase()}`))
}

const addresses = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
]

/** Variables that are set for others do no harm while nothing is sent. */
const environmentProblems = (environment: Environment): ReadonlyArray<string> => {
  const isOff =
    value(environment, "OTEL_SDK_DISABLED")?.toLowerCase() === "true" ||
    addresses.every((name) => value(environment, name) === undefined)
  return isOff ? [] : variableProblems(environment)
}

const variableProblems = (environment: Environment): ReadonlyArray<string> => {
  const lists = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES"]
  const protocol = value(environment, PROTOCOL) ?? "http/protobuf"
  return [
    ...addresses
      .filter((name) => value(environment, name) !== undefined && !isEndpoint(value(environment, name)))
      .map((name) => `${name} must be an http or https address, without a query.`),
    ...lists
      .filter((name) => pairs(value(environment, name)) === null)
      .map((name) => `${name} must be name=value pairs with commas between them.`),
    ...(protocol === "http/protobuf" || protocol === "http/json"
      ? []
      : [`${PROTOCOL} must be http/protobuf or http/json.`]),
    ...(samplers.test(value(environment, SAMPLER) ?? "always_on")
      ? []
      : [`${SAMPLER} must be always_on, always_off or traceidratio, with or without parentbased_ before it.`]),
    ...(isShare(Number(value(environment, `${SAMPLER}_ARG`) ?? 1)) ? [] : [`${SAMPLER}_ARG must be from 0 to 1.`])
  ]
}

/** `a=1,b=two%20words`; `null`: it is something else. */
const pairs = (text: string | undefined): { readonly [name: string]: string } | null => {
  const read: { [name: string]: string } = {}
  for (const pair of (text ?? "").split(",")) {
    if (pair.trim() === "") continue
    const at = pair.indexOf("=")
    const name = pair.slice(0, at).trim()
    const decoded = at < 1 ? null : decode(pair.slice(at + 1).trim())
    if (name === "" || decoded === null) return null
    read[name] = decoded
  }
  return read
}

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const below = (endpoint: string, path: string): string => `${endpoint.replace(/\/+$/, "")}/${path}`

const isEndpoint = (text: unknown): boolean =>
  typeof text === "string" && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text)

const isShare = (share: unknown): boolean => typeof share === "number" && share >= 0 && share <= 1

const isName = (text: unknown): boolean => typeof text === "string" && text.trim() !== ""

const isTexts = (texts: unknown): texts is { readonly [name: string]: string } =>
  Predicate.isObject(texts) && Object.values({ ...texts }).every((text) => typeof text === "string")

/** RFC 9110: a token, and a text without control characters. */
const isHeaders = (headers: unknown): boolean =>
  isTexts(headers) &&
  Object.entries(headers).every(
    ([name, text]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(text)
  )
