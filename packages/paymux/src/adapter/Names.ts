/** What an adapter is called, in each place where its name stands. */
import { Result } from "effect"
import { AdapterRefused } from "./AdapterRefused.ts"

export interface Names {
  /** `my-pay`: the provider's id, in routing rules and routes. */
  readonly id: string
  /** `myPay`: what makes an instance. */
  readonly factory: string
  /** `MyPay`: the vendor, for people. */
  readonly vendor: string
  /** `MY_PAY`: in environment variables. */
  readonly constant: string
}

export const namesOf = (name: string): Result.Result<Names, AdapterRefused> => {
  const names: Names = {
    id: name,
    factory: name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    vendor: name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase()),
    constant: name.replaceAll("-", "_").toUpperCase()
  }
  const why = fault(names)
  return why === null ? Result.succeed(names) : Result.fail(new AdapterRefused({ message: why }))
}

const fault = ({ factory, id }: Names): string | null => {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id)) {
    return `${JSON.stringify(id)} cannot name an adapter: use lower-case letters, digits and single dashes, and a letter first, such as my-pay.`
  }
  if (id.length < 2 || id.length > LONGEST) return `"${id}" cannot name an adapter: use 2 to ${LONGEST} characters.`
  if (packagesOfPaymux.includes(id)) return `"${id}" is a package of Paymux itself: choose another name.`
  if (reservedWords.includes(factory)) return `"${id}" is a reserved word of JavaScript: choose another name.`
  if (takenNames.includes(factory))
    return `"${id}" is the name of something that every adapter imports: choose another.`
  return null
}

/** Lines of the made sources stay within 120 columns. */
const LONGEST = 30

const packagesOfPaymux = ["paymux", "core", "http", "provider-kit", "sandbox", "sql", "testkit", "webhooks"]

/** What no constant of a module can be called, of the names that can be asked for. */
const reservedWords = [
  ..."arguments await break case catch class const continue debugger default delete do else enum eval export".split(
    " "
  ),
  ..."extends false finally for function if implements import in instanceof interface let new null package".split(" "),
  ..."private protected public return static super switch this throw true try typeof undefined var void".split(" "),
  ..."while with yield".split(" ")
]

/** What stands beside the factory in the files that name it: imports, of which a test keeps it complete, and parameters. */
const takenNames = [
  ..."asOfReceipt codeTableTests codes createPaymux credentials defineProvider errorBody fake flows makeClient methods".split(
    " "
  ),
  ..."operations providerConformance proofCodes readWebhook url".split(" ")
]
