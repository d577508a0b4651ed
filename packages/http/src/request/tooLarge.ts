import { ApiProblem } from "../problems/ApiProblem.ts"

/** The body is larger than the limit of its route. */
export const tooLarge = new ApiProblem({ code: "payload_too_large" })
