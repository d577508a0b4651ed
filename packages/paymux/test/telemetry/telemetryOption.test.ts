import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { telemetryOf, telemetryProblems } from "../../src/telemetry/telemetryOption.ts"
import type { Environment } from "../../src/telemetry/telemetryOption.ts"

const ofEnvironment = (environment: Environment) => {
  assert.deepStrictEqual(telemetryProblems("env", environment), [])
  const settings = telemetryOf("env", environment)
  return settings === null ? null : { ...settings, headers: Redacted.value(settings.headers) }
}

describe("telemetry", () => {
  it("is off without the option, and where the environment names no endpoint, disables it or wants no signal", () => {
    assert.isNull(telemetryOf(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" }))
    assert.isNull(ofEnvironment({}))
    assert.isNull(ofEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: "" }))
    assert.isNull(ofEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318", OTEL_SDK_DISABLED: "TRUE" }))
    assert.isNull(
      ofEnvironment({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
        OTEL_TRACES_EXPORTER: "none",
        OTEL_METRICS_EXPORTER: "none"
      })
    )
  })

  it("takes the option: signals below the endpoint, protobuf, a service named paymux", () => {
    const settings = telemetryOf({ otlpEndpoint: "https://otel.example/base/", headers: { "api-key": "s3cret" } }, {})
    assert.deepInclude(settings, {
      tracesUrl: "https://otel.example/base/v1/traces",
      metricsUrl: "https://otel.example/base/v1/metrics",
      protocol: "http/protobuf",
      serviceName: "paymux",
      sampleRatio: 1,
      attributes: {}
    })
    assert.notInclude(JSON.stringify(settings), "s3cret")
  })

  it("reads the variables of OpenTelemetry as its specification has them", () => {
    assert.deepStrictEqual(
      ofEnvironment({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318/",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces.example/as/it/is",
        OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%3Db , other = c,",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=named,deployment.environment.name=staging",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
      }),
      {
        tracesUrl: "http://traces.example/as/it/is",
        metricsUrl: "http://localhost:4318/v1/metrics",
        protocol: "http/json",
        headers: { "api-key": "a=b", other: "c" },
        serviceName: "named",
        sampleRatio: 1,
        attributes: { "deployment.environment.name": "staging" }
      }
    )
    const named = { OTEL_SERVICE_NAME: "shop", OTEL_RESOURCE_ATTRIBUTES: "service.name=other" }
    const common = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" }
    assert.strictEqual(ofEnvironment({ ...common, ...named })?.serviceName, "shop")
    assert.isNull(ofEnvironment({ ...common, OTEL_METRICS_EXPORTER: "none" })?.metricsUrl)
    const samplers = [
      ["always_on", undefined, 1],
      ["parentbased_always_off", undefined, 0],
      ["parentbased_traceidratio", "0.25", 0.25],
      ["traceidratio", undefined, 1]
    ] as const
    for (const [sampler, ratio, expected] of samplers) {
      const asked = { ...common, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }
      assert.strictEqual(ofEnvironment(asked)?.sampleRatio, expected, sampler)
    }
  })

  it("lets variables be that are set for others, while nothing is sent", () => {
    const wrong = {
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_RESOURCE_ATTRIBUTES: "x",
      OTEL_TRACES_SAMPLER: "jaeger_remote"
    }
    assert.isNull(ofEnvironment(wrong))
    const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4317", OTEL_SDK_DISABLED: "true" }
    assert.isNull(ofEnvironment({ ...wrong, ...disabled }))
  })

  it("refuses what cannot be meant, and shows no value of it", () => {
    const to = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" }
    const refused: ReadonlyArray<readonly [unknown, Environment, RegExp]> = [
      [true, {}, /telemetry must be "env" or an object/],
      ["http://localhost:4318", {}, /telemetry must be "env" or an object/],
      [{}, {}, /telemetry\.otlpEndpoint must be/],
      [{ otlpEndpoint: "localhost:4318" }, {}, /telemetry\.otlpEndpoint must be/],
      [{ otlpEndpoint: "http://localhost/?key=s3cret" }, {}, /telemetry\.otlpEndpoint must be/],
      [{ otlpEndpoint: "http://localhost", headers: { "a b": "s3cret" } }, {}, /telemetry\.headers must be/],
      [{ otlpEndpoint: "http://localhost", headers: { a: "s3cret\r\nb: c" } }, {}, /telemetry\.headers must be/],
      [{ otlpEndpoint: "http://localhost", headers: { a: 1 } }, {}, /telemetry\.headers must be/],
      [{ otlpEndpoint: "http://localhost", serviceName: " " }, {}, /telemetry\.serviceName must be/],
      [{ otlpEndpoint: "http://localhost", attributes: { a: 1 } }, {}, /telemetry\.attributes must be/],
      [{ otlpEndpoint: "http://localhost", endpoint: "x" }, {}, /no option "telemetry\.endpoint"/],
      ["env", { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" }, /OTEL_EXPORTER_OTLP_ENDPOINT must be/],
      [{ otlpEndpoint: "http://localhost", sampleRatio: 2 }, {}, /telemetry\.sampleRatio must be/],
      ["env", { ...to, OTEL_EXPORTER_OTLP_HEADERS: "s3cret" }, /OTEL_EXPORTER_OTLP_HEADERS must be/],
      ["env", { ...to, OTEL_RESOURCE_ATTRIBUTES: "a=%E0%A4%A" }, /OTEL_RESOURCE_ATTRIBUTES must be/],
      ["env", { ...to, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /OTEL_EXPORTER_OTLP_PROTOCOL must be/],
      ["env", { ...to, OTEL_TRACES_SAMPLER: "jaeger_remote" }, /OTEL_TRACES_SAMPLER must be/],
      ["env", { ...to, OTEL_TRACES_SAMPLER_ARG: "s3cret" }, /OTEL_TRACES_SAMPLER_ARG must be/]
    ]
    for (const [option, environment, sentence] of refused) {
      const problems = telemetryProblems(option, environment)
      assert.lengthOf(problems, 1, JSON.stringify([option, environment]))
      assert.match(problems.join(), sentence)
      assert.notInclude(problems.join(), "s3cret")
    }
  })
})
