import { Data } from "effect"

/** The configuration cannot be started: one message that names every fault. */
export class PaymuxOptionsInvalid extends Data.TaggedError("PaymuxOptionsInvalid")<{
  readonly problems: ReadonlyArray<string>
}> {
  override get message(): string {
    return this.problems.length === 1
      ? `Paymux cannot start: ${this.problems.join("")}`
      : `Paymux cannot start:${this.problems.map((problem) => `\n- ${problem}`).join("")}`
  }
}
