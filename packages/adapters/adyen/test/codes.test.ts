import { codeTableTests } from "@paymux/testkit"
import { linkCodes, paymentCodes } from "../src/codes.ts"
import { adyen } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

const answer = (errorCode: string) => ({ json: { errorCode, errorType: "validation", message: "As Adyen says it." } })

codeTableTests("adyen", {
  fake,
  make: (vendor) => adyen(optionsOf(vendor)),
  requests: [
    { flow: "token", codes: paymentCodes, answer },
    { flow: "hosted", codes: linkCodes, answer }
  ]
})
