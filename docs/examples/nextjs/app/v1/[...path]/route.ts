import { paymux } from "../../../paymux.ts"

const handle = async (request: Request): Promise<Response> => (await paymux()).fetch(request)

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT }
