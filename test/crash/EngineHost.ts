/** Keeps one engine running on one port: whenever it dies, the next one starts on the same database. */
import { startChild } from "./ChildProcess.ts"
import type { Child } from "./ChildProcess.ts"
import type { CrashPoint } from "./CrashPoints.ts"
import type { EngineReady, EngineSecrets, EngineSettings, ToEngine } from "./processes/Protocol.ts"
import type { Address } from "./Merchant.ts"
import { atRate } from "./ScaledClock.ts"

export interface EngineHost extends Address {
  /** Arms the running engine. `true`: it died there within `patience` ms, and another one runs by now. */
  readonly crashAt: (point: CrashPoint, passing: number, patience: number) => Promise<boolean>
  /** Stops the running engine there, and lets it go on after `ms`. `false`: it did not pass within `patience` ms. */
  readonly stallAt: (point: CrashPoint, passing: number, ms: number, patience: number) => Promise<boolean>
  readonly send: (message: ToEngine) => void
  /** Ends the running one, and waits until the next one listens; `rate`: how fast time runs in it. */
  readonly restart: (signal: NodeJS.Signals, rate?: number) => Promise<void>
  /** Ends the running one in good order, and waits until one with these secrets listens in its place. */
  readonly giveSecrets: (secrets: EngineSecrets) => Promise<void>
  /** One of the former version is killed; waits until one of this version listens in its place. */
  readonly upgrade: () => Promise<void>
  /** Ends it for good. */
  readonly stop: (signal: NodeJS.Signals) => Promise<void>
  readonly kills: () => number
  /** How often it ended on its own and in good order, which SIGTERM asks for. */
  readonly drained: () => number
  readonly log: () => string
}

export const startEngineHost = async (initial: EngineSettings): Promise<EngineHost> => {
  let settings = initial
  let kills = 0
  let drained = 0
  let stopped = false
  let log = ""
  let failure: Error | null = null
  let port = initial.port
  let current: Child<EngineReady>
  let next: Promise<void> = Promise.resolve()

  const start = async (): Promise<void> => {
    current = await startChild<EngineReady>("crashEngine", JSON.stringify({ ...settings, port }))
    port = current.ready.port
    const started = current
    void started.ended.then(({ code, signal }) => {
      log = (log + started.log()).slice(-200_000)
      if (signal === "SIGKILL") kills++
      if (code === 0) drained++
      if (stopped) return
      next = startAgain(Date.now() + PATIENCE).catch((cause: unknown) => {
        failure = new Error("An engine did not start again", { cause })
      })
    })
  }
  await start()

  /** As a supervisor does: while the database is away, an engine does not start. */
  const startAgain = async (until: number): Promise<void> => {
    try {
      await start()
    } catch (cause) {
      if (stopped || Date.now() > until) throw cause
      await new Promise((resolve) => setTimeout(resolve, 200))
      await startAgain(until)
    }
  }

  const running = async (): Promise<void> => {
    await next
    if (failure !== null) throw failure
  }

  return {
    base: () => `http://127.0.0.1:${port}`,
    key: () => current.ready.key,
    crashAt: async (point, passing, patience) => {
      await running()
      const armed = current
      armed.send({ arm: { point, passing, by: "SIGKILL" } } satisfies ToEngine)
      const died = await within(armed.ended, patience)
      if (!died) {
        armed.send({ arm: null } satisfies ToEngine)
        return false
      }
      // The observer above has seen the end before this one.
      await running()
      return true
    },
    stallAt: async (point, passing, ms, patience) => {
      await running()
      const armed = current
      armed.send({ arm: { point, passing, by: "SIGSTOP" } } satisfies ToEngine)
      const stopped = await within(armed.next(), patience)
      if (!stopped) armed.send({ arm: null } satisfies ToEngine)
      if (stopped) await new Promise((resolve) => setTimeout(resolve, ms))
      // Also where it stopped in the last moment.
      armed.signal("SIGCONT")
      return stopped
    },
    send: (message) => current.send(message),
    restart: async (signal, rate = settings.clock.rate) => {
      await running()
      settings = { ...settings, clock: atRate(settings.clock, rate) }
      await current.kill(signal)
      await running()
    },
    giveSecrets: async (secrets) => {
      await running()
      settings = { ...settings, secrets }
      await current.kill("SIGTERM")
      await running()
    },
    upgrade: async () => {
      await running()
      if (settings.version !== "former") return
      settings = { ...settings, version: "this" }
      await current.kill("SIGKILL")
      await running()
    },
    stop: async (signal) => {
      stopped = true
      await next
      await current.kill(signal)
    },
    kills: () => kills,
    drained: () => drained,
    log: () => log + current.log()
  }
}

/** ms */
const PATIENCE = 60_000

const within = async (promise: Promise<unknown>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const ended = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return ended
}
