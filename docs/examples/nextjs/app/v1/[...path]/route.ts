import { paymux } from "../../../paymux.ts"

const handle = async (request: Request): Promise<Response> => {
  // Next.js sends a response without its Content-Encoding: what is compressed could not be read.
  request.headers.delete("accept-encoding")
  return (await paymux()).fetch(request)
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT }
