import { RulesRequestInvalid } from "@paymux/dashboard"

export const requestInvalid = (pointer: string, message: string): RulesRequestInvalid =>
  new RulesRequestInvalid({ errors: [{ pointer, message }] })
